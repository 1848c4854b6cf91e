-- Automatic replies to a no, a yes or a call for help.
CREATE TABLE "word_replies" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "inbound_message_id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "own_address" TEXT NOT NULL,
    "connection_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "language" TEXT,
    "region" TEXT,
    "classes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "word_replies_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "word_replies_tenant_id_inbound_message_id_key" ON "word_replies"("tenant_id", "inbound_message_id");
CREATE INDEX "word_replies_of_address_idx" ON "word_replies"("tenant_id", "sandbox", "channel", "address", "created_at" DESC);
CREATE INDEX "word_replies_tenant_id_created_at_idx" ON "word_replies"("tenant_id", "created_at");
