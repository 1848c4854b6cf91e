-- What recipients wrote that may be a no: a person decides.
CREATE TABLE "consent_reviews" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "inbound_message_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "word" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "consent_reviews_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "consent_reviews_tenant_id_inbound_message_id_key" ON "consent_reviews"("tenant_id", "inbound_message_id");
CREATE INDEX "consent_reviews_tenant_id_sandbox_state_id_idx" ON "consent_reviews"("tenant_id", "sandbox", "state", "id");
CREATE INDEX "consent_reviews_of_address_idx" ON "consent_reviews"("tenant_id", "sandbox", "channel", "address");
CREATE INDEX "consent_reviews_state_created_at_idx" ON "consent_reviews"("state", "created_at");
