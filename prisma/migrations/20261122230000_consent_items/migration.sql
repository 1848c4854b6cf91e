-- What an application calls an entry that it reports: reported again, it is the same one.
ALTER TABLE "consent_entries" ADD COLUMN "item_id" TEXT;
CREATE UNIQUE INDEX "consent_entries_tenant_id_sandbox_item_id_key" ON "consent_entries"("tenant_id", "sandbox", "item_id");

-- The ledger, newest first.
CREATE INDEX "consent_entries_tenant_id_sandbox_at_id_idx" ON "consent_entries"("tenant_id", "sandbox", "at" DESC, "id" DESC);
