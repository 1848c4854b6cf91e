-- Double opt-in: addresses that were asked whether they agree.
CREATE TABLE "consent_confirmations" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "open_id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "region" TEXT,
    "class" TEXT NOT NULL,
    "language" TEXT,
    "application_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "item_id" TEXT NOT NULL,
    "evidence" JSONB NOT NULL DEFAULT '{}',
    "sent" BOOLEAN NOT NULL,
    "connection_id" UUID,
    "own_address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "consent_confirmations_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "consent_confirmations_tenant_id_sandbox_item_id_key" ON "consent_confirmations"("tenant_id", "sandbox", "item_id");
CREATE INDEX "consent_confirmations_of_address_idx" ON "consent_confirmations"("tenant_id", "sandbox", "channel", "address", "created_at" DESC);
CREATE INDEX "consent_confirmations_tenant_id_open_id_idx" ON "consent_confirmations"("tenant_id", "open_id");
CREATE INDEX "consent_confirmations_tenant_id_created_at_idx" ON "consent_confirmations"("tenant_id", "created_at");
