-- Events get a signature of their writer and the number of their transaction. Those that are here already share one number:
-- a stable default is evaluated once.
ALTER TABLE "audit_events" ADD COLUMN "mac" BYTEA,
  ADD COLUMN "xid" BIGINT NOT NULL DEFAULT txid_current();
-- What is searched for stands in columns: under row-level security an index serves only what tells nothing of other rows,
-- which lower() and ->> are not known to do.
ALTER TABLE "audit_events" ADD COLUMN "name_key" TEXT COLLATE "C" GENERATED ALWAYS AS (lower("data"->>'name')) STORED,
  ADD COLUMN "address_token" TEXT COLLATE "C" GENERATED ALWAYS AS ("data"->>'address') STORED;

DROP INDEX "audit_events_tenant_id_target_type_target_id_id_idx";

CREATE TABLE "audit_links" (
    "tenant_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "event_id" UUID NOT NULL,
    "origin" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_links_pkey" PRIMARY KEY ("tenant_id","sequence")
);

CREATE TABLE "audit_chains" (
    "tenant_id" UUID NOT NULL,
    "key" BYTEA NOT NULL,
    "retention_months" INTEGER NOT NULL DEFAULT 24,
    "purged_sequence" BIGINT NOT NULL DEFAULT 0,
    "purged_hash" BYTEA,
    "purged_at" TIMESTAMPTZ(3),
    "purged_signature" TEXT,
    "checked_sequence" BIGINT NOT NULL DEFAULT 0,
    "checked_event_id" UUID,
    "full_check_at" TIMESTAMPTZ(3),
    "verified_sequence" BIGINT NOT NULL DEFAULT 0,
    "verified_at" TIMESTAMPTZ(3),
    "failure" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "audit_progress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "xid" BIGINT NOT NULL DEFAULT 0,
    "event_id" UUID NOT NULL,
    "signed_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_progress_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "audit_signers" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_signers_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "audit_checkpoints" (
    "number" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "full" BOOLEAN NOT NULL,
    "line" TEXT NOT NULL,
    "filed_at" TIMESTAMPTZ(3),

    CONSTRAINT "audit_checkpoints_pkey" PRIMARY KEY ("number")
);

CREATE UNIQUE INDEX "audit_links_tenant_id_event_id_key" ON "audit_links"("tenant_id", "event_id");
CREATE INDEX "audit_events_tenant_id_actor_id_id_idx" ON "audit_events"("tenant_id", "actor_id", "id");
CREATE INDEX "audit_events_tenant_id_actor_name_id_idx" ON "audit_events"("tenant_id", "actor_name", "id");
CREATE INDEX "audit_events_tenant_id_action_id_idx" ON "audit_events"("tenant_id", "action", "id");
CREATE INDEX "audit_events_tenant_id_target_type_id_idx" ON "audit_events"("tenant_id", "target_type", "id");
CREATE INDEX "audit_events_tenant_id_target_id_id_idx" ON "audit_events"("tenant_id", "target_id", "id");
CREATE INDEX "audit_events_tenant_id_unit_id_id_idx" ON "audit_events"("tenant_id", "unit_id", "id");
CREATE INDEX "audit_events_tenant_id_environment_id_id_idx" ON "audit_events"("tenant_id", "environment_id", "id");
CREATE INDEX "audit_events_tenant_id_request_id_idx" ON "audit_events"("tenant_id", "request_id");
CREATE INDEX "audit_events_xid_id_idx" ON "audit_events"("xid", "id");
-- Things are looked for by the name that they had, and addresses by their tokens.
CREATE INDEX "audit_events_name_idx" ON "audit_events"("tenant_id", "name_key", "id") WHERE "name_key" IS NOT NULL;
CREATE INDEX "audit_events_address_idx" ON "audit_events"("tenant_id", "address_token", "id") WHERE "address_token" IS NOT NULL;
-- Lines that are still to be written to the file.
CREATE INDEX "audit_checkpoints_unfiled_idx" ON "audit_checkpoints"("number") WHERE "filed_at" IS NULL;

-- Web processes of the version before this one may still be writing events, which they do not sign, for a day.
INSERT INTO "audit_progress" ("id", "event_id", "signed_since")
  SELECT 1, '00000000-0000-0000-0000-000000000000', CURRENT_TIMESTAMP + CASE WHEN EXISTS (SELECT FROM "audit_events") THEN interval '1 day' ELSE interval '0' END;
