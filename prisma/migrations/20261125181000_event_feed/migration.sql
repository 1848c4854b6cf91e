-- When an event was written, in which order the feed of events gives them. The number of the transaction is taken first: who knows
-- that every transaction with a number of then has ended has seen all that was written until then. Events from before have none.
ALTER TABLE "notification_events" ADD COLUMN "written_at" TIMESTAMPTZ(3);
ALTER TABLE "notification_events" ALTER COLUMN "written_at" SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN clock_timestamp() END;

-- For the feed alone: a statement that does not ask for this time can never be planned with it.
CREATE INDEX "notification_events_tenant_id_written_at_idx" ON "notification_events"("tenant_id", "written_at")
WHERE "written_at" IS NOT NULL;

-- CreateTable
CREATE TABLE "feed_events" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "application_id" UUID,
    "environment_id" UUID,
    "sandbox" BOOLEAN NOT NULL,
    "payload" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "written_at" TIMESTAMPTZ(3) DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN clock_timestamp() END,

    CONSTRAINT "feed_events_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "feed_events_tenant_id_written_at_idx" ON "feed_events"("tenant_id", "written_at");

-- Who may send events anywhere may read them.
UPDATE "roles" SET "permissions" = "permissions" || '{events:read}'
WHERE ('webhooks:manage' = ANY ("permissions") OR "built_in" AND "key" = 'sender') AND NOT 'events:read' = ANY ("permissions");
