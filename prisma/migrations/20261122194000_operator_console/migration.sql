-- The role of the operator console: what it may see and do is in ../../policies, and the contents of organisations are not in it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidings_console') THEN
    CREATE ROLE tidings_console NOLOGIN NOBYPASSRLS;
  END IF;
  -- So that a part started with the owner's address can step down to its role.
  EXECUTE format('GRANT tidings_console TO %I', current_user);
EXCEPTION WHEN unique_violation OR duplicate_object THEN
  NULL; -- another database of this cluster is being migrated at the same moment
END
$$;

-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "resumed_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "tenant_permits" (
    "hash" BYTEA NOT NULL,
    "slug" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_permits_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "sweep_reports" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "found" INTEGER NOT NULL,
    "total" BIGINT NOT NULL,
    "found_at" TIMESTAMPTZ(3),

    CONSTRAINT "sweep_reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operators" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operators_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_links" (
    "operator_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_links_pkey" PRIMARY KEY ("operator_id")
);

-- CreateTable
CREATE TABLE "operator_sessions" (
    "id" UUID NOT NULL,
    "operator_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ip" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "operator_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operator_events" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "operator_id" UUID,
    "operator_name" TEXT NOT NULL,
    "session_id" UUID,
    "action" TEXT NOT NULL,
    "organisation" UUID,
    "organisation_slug" TEXT,
    "request_id" TEXT NOT NULL,
    "ip" TEXT,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "operator_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organisation_deletions" (
    "organisation" UUID NOT NULL,
    "organisation_slug" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "emptied_at" TIMESTAMPTZ(3),
    "at_table" TEXT NOT NULL DEFAULT '',
    "tables_left" INTEGER,
    "removed" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "organisation_deletions_pkey" PRIMARY KEY ("organisation")
);

-- CreateIndex
CREATE UNIQUE INDEX "operators_email_key" ON "operators"("email");

-- CreateIndex
CREATE UNIQUE INDEX "operator_links_hash_key" ON "operator_links"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "operator_sessions_hash_key" ON "operator_sessions"("hash");

-- CreateIndex
CREATE INDEX "operator_sessions_operator_id_idx" ON "operator_sessions"("operator_id");

-- CreateIndex
CREATE INDEX "operator_events_session_id_at_idx" ON "operator_events"("session_id", "at");

-- CreateIndex
CREATE INDEX "operator_events_organisation_id_idx" ON "operator_events"("organisation", "id");

-- Asked for every two seconds by every process: which organisations are stopped, and which are to be set going again.
CREATE INDEX tenants_suspended_idx ON tenants (id) WHERE suspended_at IS NOT NULL;
CREATE INDEX tenants_resumed_idx ON tenants (id) WHERE resumed_at IS NOT NULL;
-- Jobs that are not tried again, which nothing else looks for.
CREATE INDEX jobs_given_up_idx ON graphile_worker._private_jobs (task_id, updated_at) WHERE attempts >= max_attempts;
