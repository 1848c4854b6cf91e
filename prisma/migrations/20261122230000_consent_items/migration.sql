-- What an application calls an entry that it reports: reported again, it is the same one.
ALTER TABLE "consent_entries" ADD COLUMN "item_id" TEXT;
CREATE UNIQUE INDEX "consent_entries_tenant_id_sandbox_item_id_key" ON "consent_entries"("tenant_id", "sandbox", "item_id");

-- Holds all that a send asks of an address, in the order in which it counts: no row of the table has to be read.
DROP INDEX "consent_entries_tenant_id_sandbox_channel_address_at_idx";
CREATE INDEX "consent_entries_standing_idx" ON "consent_entries"("tenant_id", "sandbox", "channel", "address", "at" DESC, "state" DESC, "id" DESC, "region", "class");

-- The ledger, newest first.
CREATE INDEX "consent_entries_tenant_id_sandbox_at_id_idx" ON "consent_entries"("tenant_id", "sandbox", "at" DESC, "id" DESC);
