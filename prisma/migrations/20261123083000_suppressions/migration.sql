-- Suppressions say until when they hold, who or what made them, and why.
-- Made again, as it is now, when the migrations are through.
DROP VIEW IF EXISTS suppressed_addresses;
ALTER TABLE "suppressions"
    -- Searched by what it begins with: compared byte by byte, so that an index serves it under row-level security.
    ALTER COLUMN "address" TYPE TEXT COLLATE "C",
    ADD COLUMN "expires_at" TIMESTAMPTZ(3),
    ADD COLUMN "notification_id" UUID,
    ADD COLUMN "made_by" TEXT,
    ADD COLUMN "note" TEXT;
CREATE INDEX "suppressions_tenant_id_sandbox_created_at_id_idx" ON "suppressions"("tenant_id", "sandbox", "created_at" DESC, "id" DESC);
CREATE INDEX "suppressions_tenant_id_sandbox_reason_created_at_id_idx" ON "suppressions"("tenant_id", "sandbox", "reason", "created_at" DESC, "id" DESC);
CREATE INDEX "suppressions_tenant_id_sandbox_address_id_idx" ON "suppressions"("tenant_id", "sandbox", "address", "id");
CREATE INDEX "suppressions_tenant_id_expires_at_idx" ON "suppressions"("tenant_id", "expires_at");
