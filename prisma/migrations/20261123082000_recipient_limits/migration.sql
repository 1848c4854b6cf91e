-- When messages of an organisation wait, and how many a recipient gets.
CREATE TABLE "recipient_limits" (
    "tenant_id" UUID NOT NULL,
    "quiet_hours" JSONB NOT NULL DEFAULT '[]',
    "caps" JSONB NOT NULL DEFAULT '[]',
    "revision" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recipient_limits_pkey" PRIMARY KEY ("tenant_id"),
    -- Every message of the organisation is compared with them.
    CONSTRAINT "recipient_limits_size" CHECK (length("quiet_hours"::text) + length("caps"::text) <= 65536)
);

-- Messages that count towards a cap.
CREATE TABLE "recipient_sends" (
    "tenant_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "recipient" BIGINT NOT NULL,
    "class" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recipient_sends_pkey" PRIMARY KEY ("tenant_id","notification_id")
);
CREATE INDEX "recipient_sends_tenant_id_recipient_class_at_idx" ON "recipient_sends"("tenant_id", "recipient", "class", "at");
CREATE INDEX "recipient_sends_tenant_id_at_idx" ON "recipient_sends"("tenant_id", "at");
