-- API keys say what they are for, from where they may be used and were used, and warn before they end. Keys of agents have
-- limits of their own, and what they send in production waits for a person.
ALTER TABLE "api_keys"
  ADD COLUMN "purpose" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "agent_id" UUID,
  ADD COLUMN "made_by_id" UUID,
  ADD COLUMN "last_used_from" TEXT,
  ADD COLUMN "warned_days" SMALLINT;
-- Whose end is near: few, among many.
CREATE INDEX api_keys_ending_idx ON api_keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

CREATE TABLE "agents" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "recipients" TEXT[],
    "hourly_cap" INTEGER NOT NULL,
    "later_stages" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE TABLE "agent_minutes" (
    "tenant_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "agent_minutes_pkey" PRIMARY KEY ("tenant_id","agent_id","minute")
);
CREATE TABLE "send_approvals" (
    "tenant_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "api_key_name" TEXT NOT NULL,
    "messages" INTEGER NOT NULL,
    "time_to_live" INTEGER,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "decided_by_id" UUID,
    "decided_by_name" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "send_approvals_pkey" PRIMARY KEY ("tenant_id","request_id")
);
-- What waits, of one organisation, and what has waited too long, of all.
CREATE INDEX send_approvals_waiting_idx ON send_approvals (tenant_id, request_id) WHERE state = 'waiting';
CREATE INDEX send_approvals_ending_idx ON send_approvals (expires_at) WHERE state = 'waiting';

-- What waits for a person is not settled either.
DROP INDEX notifications_open_idx;
CREATE INDEX notifications_open_idx ON notifications (tenant_id, environment_id, id)
  WHERE status IN ('pending_approval', 'scheduled', 'queued', 'sending');
