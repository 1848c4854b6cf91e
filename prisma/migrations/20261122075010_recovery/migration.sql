-- How a connection that was out is tried again, and the messages that wait for it meanwhile.
-- AlterTable
ALTER TABLE "connection_health" ADD COLUMN     "failed_probes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "trial" TEXT,
ADD COLUMN     "wake_at" TIMESTAMPTZ(3),
ADD COLUMN     "wake_size" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "waiting_messages" (
    "tenant_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "priority" SMALLINT NOT NULL,
    "notification_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "woken_at" TIMESTAMPTZ(3),

    CONSTRAINT "waiting_messages_pkey" PRIMARY KEY ("tenant_id","connection_id","priority","notification_id")
);

-- AddForeignKey
ALTER TABLE "waiting_messages" ADD CONSTRAINT "waiting_messages_tenant_id_connection_id_fkey" FOREIGN KEY ("tenant_id", "connection_id") REFERENCES "connection_health"("tenant_id", "connection_id") ON DELETE CASCADE ON UPDATE CASCADE;


-- By hand: who may see which row -------------------------------------------------------------------------------

ALTER TABLE connection_health ADD CONSTRAINT connection_health_trial_check CHECK (trial IN ('full', 'careful', 'blind'));

SELECT protect_table('waiting_messages', 'tenant_id');
GRANT SELECT, DELETE ON waiting_messages TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON waiting_messages TO tidings_worker;

-- Whose waiting messages are to be looked after, of all tenants: read several times a second.
CREATE INDEX connection_health_wake_idx ON connection_health (wake_at) WHERE wake_at IS NOT NULL;
-- Those that were woken and are still to be seen to have gone: few, among many that wait.
CREATE INDEX waiting_messages_woken_idx ON waiting_messages (tenant_id, connection_id) WHERE woken_at IS NOT NULL;
