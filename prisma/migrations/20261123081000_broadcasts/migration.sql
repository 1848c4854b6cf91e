-- Requests that go to contact groups.
CREATE TABLE "broadcasts" (
    "tenant_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "groups" JSONB NOT NULL,
    "source_id" UUID,
    "state" TEXT NOT NULL,
    "draft" BOOLEAN NOT NULL,
    "listing_group" INTEGER NOT NULL DEFAULT 0,
    "listing_after" TEXT,
    "first_position" INTEGER NOT NULL,
    "total" INTEGER NOT NULL DEFAULT 0,
    "released" INTEGER NOT NULL DEFAULT 0,
    "left_out" INTEGER NOT NULL DEFAULT 0,
    "forecast" JSONB NOT NULL DEFAULT '{}',
    "rate_per_second" INTEGER,
    "window" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "paused_by_name" TEXT,
    "problem" JSONB,
    "released_at" TIMESTAMPTZ(3),
    "wake_at" TIMESTAMPTZ(3),
    "created_by_type" TEXT NOT NULL,
    "created_by_id" UUID,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "broadcasts_pkey" PRIMARY KEY ("tenant_id","request_id")
);
CREATE INDEX "broadcasts_wake_at_idx" ON "broadcasts"("wake_at");

CREATE TABLE "broadcast_recipients" (
    "tenant_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "contact_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "notification_id" UUID,
    "state" TEXT NOT NULL,
    "reason" TEXT,

    CONSTRAINT "broadcast_recipients_pkey" PRIMARY KEY ("tenant_id","request_id","position"),
    CONSTRAINT "broadcast_recipients_tenant_id_request_id_fkey" FOREIGN KEY ("tenant_id", "request_id")
        REFERENCES "broadcasts"("tenant_id", "request_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "broadcast_recipients_tenant_id_request_id_contact_id_channe_key" ON "broadcast_recipients"("tenant_id", "request_id", "contact_id", "channel");
-- Few at any time: what is looked at again and again.
CREATE INDEX "broadcast_recipients_open_idx" ON "broadcast_recipients"("tenant_id", "request_id", "state", "position") WHERE "state" IN ('under_way', 'parked');
