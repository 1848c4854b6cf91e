-- The tables, indexes and roles that everything begins with. Functions, row-level security and rights follow from
-- prisma/functions and prisma/policies.

-- Two roles run the product; neither owns a table nor bypasses row-level security:
--   tidings_web     sees one tenant at a time, the one named by the setting app.tenant; unset, it sees nothing
--   tidings_worker  carries out the work of all tenants
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidings_web') THEN
    CREATE ROLE tidings_web NOLOGIN NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidings_worker') THEN
    CREATE ROLE tidings_worker NOLOGIN NOBYPASSRLS;
  END IF;
  -- So that a part started with the owner's address can step down to its role.
  EXECUTE format('GRANT tidings_web, tidings_worker TO %I', current_user);
EXCEPTION WHEN unique_violation OR duplicate_object THEN
  NULL; -- another database of this cluster is being migrated at the same moment
END
$$;

-- Tables ----------------------------------------------------------------------------------------------------------
-- Five are partitioned by month on a UUIDv7 column, which carries its time: so a primary key stays (tenant_id, id) and a
-- look-up by id still reads one partition only. ensure_partitions() makes the partitions.

CREATE TABLE "users" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "roles" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "permissions" TEXT[],
    "built_in" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "role_assignments" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role_id" UUID NOT NULL,
    "unit_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "role_assignments_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "sessions" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "ip" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "api_keys" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "unit_id" UUID,
    "application_id" UUID,
    "role_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "rate_limit_per_minute" INTEGER NOT NULL DEFAULT 6000,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "rotated_from_id" UUID,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "rate_windows" (
    "tenant_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("tenant_id","api_key_id","window_start")
);

CREATE TABLE "sign_in_delays" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_delays_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "ai_usage" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "purpose" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "estimated" BOOLEAN NOT NULL DEFAULT false,
    "cost" DECIMAL(14,6),
    "currency" TEXT,
    "template_id" UUID,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,

    CONSTRAINT "ai_usage_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "audit_events" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT,
    "unit_id" UUID,
    "environment_id" UUID,
    "request_id" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "conversations" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "own_address" TEXT NOT NULL,
    "connection_id" UUID NOT NULL,
    "environment_id" UUID,
    "application_id" UUID,
    "unit_id" UUID,
    "last_inbound_at" TIMESTAMPTZ(3) NOT NULL,
    "unread" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "inbound_messages" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "provider_message_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "kind" TEXT,
    "button" JSONB,
    "opt_out" TEXT,
    "replies_to" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inbound_messages_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "metric_deltas" (
    "tenant_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "notification_type" TEXT NOT NULL,
    "notification_subtype" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "connection_id" UUID,
    "status" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "latency" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "metric_deltas_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "metric_rollups" (
    "tenant_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "notification_type" TEXT NOT NULL,
    "notification_subtype" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "connection_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "latency" SMALLINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "metric_rollups_pkey" PRIMARY KEY ("tenant_id","hour","kind","environment_id","application_id","unit_id","channel","notification_type","notification_subtype","region","connection_id","status","code","latency")
);

CREATE TABLE "metric_summaries" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "connection_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "latency" SMALLINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "metric_summaries_pkey" PRIMARY KEY ("tenant_id","grain","kind","at","environment_id","application_id","unit_id","channel","connection_id","status","code","latency")
);

CREATE TABLE "shorteners" (
    "tenant_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "credentials" BYTEA,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "processing_region" TEXT,
    "tested_at" TIMESTAMPTZ(3),
    "test_problem" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT,
    "problem_at" TIMESTAMPTZ(3),

    CONSTRAINT "shorteners_pkey" PRIMARY KEY ("tenant_id","environment_id")
);

CREATE TABLE "short_links" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "code" TEXT,
    "short_url" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "notification_id" UUID NOT NULL,
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "first_clicked_at" TIMESTAMPTZ(3),
    "last_clicked_at" TIMESTAMPTZ(3),
    "sandbox" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "short_links_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "promotions" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "from_environment_id" UUID NOT NULL,
    "to_environment_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "note" TEXT,
    "automatic" BOOLEAN NOT NULL DEFAULT true,
    "requested_by_type" TEXT NOT NULL,
    "requested_by_id" UUID,
    "requested_by_name" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "deployed_at" TIMESTAMPTZ(3),
    "deployed_by_name" TEXT,
    "rolled_back_at" TIMESTAMPTZ(3),
    "rolled_back_by_name" TEXT,
    "rollback_note" TEXT,
    "gates" JSONB NOT NULL,
    "requested_by_person_id" UUID,

    CONSTRAINT "promotions_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "promotion_items" (
    "tenant_id" UUID NOT NULL,
    "promotion_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "to_environment_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "previous_version" INTEGER,
    "previous_promotion_id" UUID,
    "open" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "promotion_items_pkey" PRIMARY KEY ("tenant_id","promotion_id","template_id")
);

CREATE TABLE "promotion_decisions" (
    "tenant_id" UUID NOT NULL,
    "promotion_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_name" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "comment" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "promotion_decisions_pkey" PRIMARY KEY ("tenant_id","promotion_id","person_id","decision")
);

CREATE TABLE "pipeline_proposals" (
    "tenant_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "before" JSONB NOT NULL,
    "stages" JSONB NOT NULL,
    "loosens" TEXT[],
    "person_id" UUID NOT NULL,
    "actor_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pipeline_proposals_pkey" PRIMARY KEY ("tenant_id","application_id")
);

CREATE TABLE "notices" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" UUID NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "notices_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "provider_connections" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "unit_id" UUID,
    "name" TEXT NOT NULL,
    "adapter" TEXT NOT NULL,
    "channels" TEXT[],
    "credentials" BYTEA NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "senders" JSONB NOT NULL DEFAULT '[]',
    "rate_per_second" INTEGER,
    "max_concurrency" INTEGER NOT NULL DEFAULT 50,
    "price_list" JSONB NOT NULL DEFAULT '[]',
    "processing_region" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "inbound_application_id" UUID,
    "inbound_environment_id" UUID,
    "platform_channel_id" UUID,
    "slow_after_ms" INTEGER NOT NULL DEFAULT 5000,
    "test_problem" TEXT,
    "tested_at" TIMESTAMPTZ(3),
    "prices_listed_to" TIMESTAMPTZ(3),

    CONSTRAINT "provider_connections_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "senders" (
    "tenant_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "channel" TEXT NOT NULL,
    "region" TEXT,
    "sender" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "unit_id" UUID,
    "platform_channel_id" UUID,
    "sandbox" BOOLEAN NOT NULL,
    "repeated" BOOLEAN NOT NULL,

    CONSTRAINT "senders_pkey" PRIMARY KEY ("tenant_id","connection_id","position")
);

CREATE TABLE "platform_channels" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "adapter" TEXT NOT NULL,
    "channels" TEXT[],
    "credentials" BYTEA NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "price_list" JSONB NOT NULL DEFAULT '[]',
    "processing_region" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "platform_channels_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "connection_health" (
    "tenant_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "breaker" TEXT NOT NULL DEFAULT 'closed',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "reason_code" TEXT,
    "reason_detail" TEXT,
    "openings" INTEGER NOT NULL DEFAULT 0,
    "next_probe_at" TIMESTAMPTZ(3),
    "slow" BOOLEAN NOT NULL DEFAULT false,
    "slow_since" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_probes" INTEGER NOT NULL DEFAULT 0,
    "trial" TEXT,
    "wake_at" TIMESTAMPTZ(3),
    "wake_size" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "connection_health_pkey" PRIMARY KEY ("tenant_id","connection_id")
);

CREATE TABLE "waiting_messages" (
    "tenant_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "priority" SMALLINT NOT NULL,
    "notification_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "woken_at" TIMESTAMPTZ(3),

    CONSTRAINT "waiting_messages_pkey" PRIMARY KEY ("tenant_id","connection_id","priority","notification_id")
);

CREATE TABLE "connection_incidents" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "code" TEXT,
    "detail" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_incidents_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "routing_rules" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "region" TEXT,
    "application_id" UUID,
    "channel" TEXT,
    "notification_type" TEXT,
    "notification_subtype" TEXT,
    "priority" INTEGER NOT NULL DEFAULT 100,
    "tiers" JSONB NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "routing_rules_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "routing_revisions" (
    "tenant_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "note" TEXT,
    "rules" JSONB NOT NULL,

    CONSTRAINT "routing_revisions_pkey" PRIMARY KEY ("tenant_id","environment_id","number")
);

CREATE TABLE "suppressions" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "consent_entries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "region" TEXT,
    "class" TEXT,
    "state" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "evidence" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consent_entries_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE UNLOGGED TABLE "worker_processes" (
    "name" TEXT NOT NULL,
    "lanes" TEXT[],
    "pools" TEXT[] DEFAULT '{}',
    "beat_at" TIMESTAMPTZ(3) NOT NULL,
    "limited" UUID[] DEFAULT '{}',
    "given_up_at" TIMESTAMPTZ(3),

    CONSTRAINT "worker_processes_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "send_requests" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "transaction_id" TEXT,
    "source" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "region" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "notification_type" TEXT NOT NULL,
    "notification_subtype" TEXT NOT NULL,
    "variables" JSONB NOT NULL,
    "metadata" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "send_requests_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "idempotency_keys" (
    "tenant_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "request_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("tenant_id","environment_id","application_id","kind","key")
);

CREATE TABLE "notifications" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "variables" JSONB,
    "region" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "notification_type" TEXT NOT NULL,
    "notification_subtype" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "template_id" UUID,
    "template_version" INTEGER,
    "status" TEXT NOT NULL,
    "final" BOOLEAN NOT NULL DEFAULT false,
    "reason_code" TEXT,
    "reason_detail" TEXT,
    "failure" JSONB,
    "connection_id" UUID,
    "provider" TEXT,
    "provider_message_id" TEXT,
    "segments" INTEGER,
    "sequence" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "open_attempt" INTEGER,
    "unknown_outcomes" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "scheduled_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("tenant_id","id")
) PARTITION BY RANGE ("id");

CREATE TABLE "notification_events" (
    "tenant_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "notification_events_pkey" PRIMARY KEY ("tenant_id","notification_id","sequence")
) PARTITION BY RANGE ("notification_id");

CREATE TABLE "attempts" (
    "tenant_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "connection_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "worker" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "code" TEXT,
    "detail" TEXT,
    "provider_code" TEXT,
    "provider_message" TEXT,
    "provider_message_id" TEXT,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("tenant_id","notification_id","number")
) PARTITION BY RANGE ("notification_id");

CREATE TABLE "cost_entries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" DECIMAL(18,6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "source" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cost_entries_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "templates" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "notification_type" TEXT NOT NULL,
    "notification_subtype" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "region" TEXT,
    "language" TEXT,
    "provider" TEXT,
    "latest_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "templates_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "template_versions" (
    "tenant_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "subject" TEXT,
    "body" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "variables" JSONB NOT NULL DEFAULT '[]',
    "note" TEXT,
    "author_id" UUID,
    "author_name" TEXT NOT NULL,
    "moderation" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "compiled_body" TEXT,

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("tenant_id","template_id","version")
);

CREATE TABLE "template_deployments" (
    "tenant_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "deployed_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_by" TEXT,
    "disabled_reason" TEXT,
    "promotion_id" UUID,

    CONSTRAINT "template_deployments_pkey" PRIMARY KEY ("tenant_id","template_id","environment_id")
);

CREATE TABLE "whatsapp_approvals" (
    "tenant_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "template_name" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "source" TEXT NOT NULL,
    "connection_id" UUID,
    "checked_at" TIMESTAMPTZ(3),
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "whatsapp_approvals_pkey" PRIMARY KEY ("tenant_id","template_id","template_name","language")
);

CREATE TABLE "template_tests" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "environment_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "actor_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "template_tests_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "template_imports" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "note" TEXT,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "template_imports_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "template_import_items" (
    "tenant_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "template_id" UUID,
    "action" TEXT NOT NULL,
    "base_version" INTEGER,
    "content" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER,
    "problem" JSONB,

    CONSTRAINT "template_import_items_pkey" PRIMARY KEY ("tenant_id","import_id","position")
);

CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "data_region" TEXT NOT NULL DEFAULT 'EU',
    "settings" JSONB NOT NULL DEFAULT '{}',
    "data_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "platform_fees" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "organization_units" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_units_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "environments" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "environments_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "applications" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "default_region" TEXT NOT NULL,
    "default_language" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "pipeline_stages" (
    "tenant_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "environment_id" UUID NOT NULL,
    "gates" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "pipeline_stages_pkey" PRIMARY KEY ("tenant_id","application_id","position")
);

CREATE TABLE "notification_types" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "subtypes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_types_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "webhook_endpoints" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[],
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "retry_schedule" INTEGER[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "webhook_deliveries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "notification_id" UUID,
    "sequence" INTEGER,
    "payload" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "replayed_after" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("tenant_id","id")
) PARTITION BY RANGE ("id");

CREATE TABLE "webhook_attempts" (
    "tenant_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "response_body" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("tenant_id","delivery_id","number")
) PARTITION BY RANGE ("delivery_id");

-- Indexes of prisma/schema ----------------------------------------------------------------------------------------

CREATE INDEX "users_email_idx" ON "users"("email");
CREATE UNIQUE INDEX "users_tenant_id_email_key" ON "users"("tenant_id", "email");
CREATE UNIQUE INDEX "roles_tenant_id_key_key" ON "roles"("tenant_id", "key");
CREATE INDEX "role_assignments_tenant_id_user_id_idx" ON "role_assignments"("tenant_id", "user_id");
CREATE INDEX "sessions_tenant_id_user_id_idx" ON "sessions"("tenant_id", "user_id");
CREATE INDEX "sign_in_delays_expires_at_idx" ON "sign_in_delays"("expires_at");
CREATE INDEX "ai_usage_tenant_id_at_idx" ON "ai_usage"("tenant_id", "at");
CREATE INDEX "audit_events_tenant_id_target_type_target_id_id_idx" ON "audit_events"("tenant_id", "target_type", "target_id", "id");
CREATE INDEX "conversations_tenant_id_last_inbound_at_id_idx" ON "conversations"("tenant_id", "last_inbound_at" DESC, "id");
CREATE INDEX "inbound_messages_tenant_id_conversation_id_at_id_idx" ON "inbound_messages"("tenant_id", "conversation_id", "at" DESC, "id");
CREATE UNIQUE INDEX "inbound_messages_tenant_id_connection_id_provider_message_i_key" ON "inbound_messages"("tenant_id", "connection_id", "provider_message_id");
CREATE UNIQUE INDEX "short_links_code_key" ON "short_links"("code");
CREATE INDEX "short_links_tenant_id_notification_id_idx" ON "short_links"("tenant_id", "notification_id");
CREATE INDEX "short_links_expires_at_idx" ON "short_links"("expires_at");
CREATE INDEX "promotions_tenant_id_application_id_id_idx" ON "promotions"("tenant_id", "application_id", "id");
CREATE INDEX "promotion_items_tenant_id_template_id_idx" ON "promotion_items"("tenant_id", "template_id");
CREATE INDEX "notices_tenant_id_user_id_id_idx" ON "notices"("tenant_id", "user_id", "id");
CREATE UNIQUE INDEX "provider_connections_tenant_id_name_key" ON "provider_connections"("tenant_id", "name");
CREATE INDEX "senders_tenant_id_channel_address_idx" ON "senders"("tenant_id", "channel", "address");
CREATE UNIQUE INDEX "platform_channels_name_key" ON "platform_channels"("name");
CREATE INDEX "connection_incidents_tenant_id_connection_id_id_idx" ON "connection_incidents"("tenant_id", "connection_id", "id" DESC);
CREATE INDEX "routing_rules_tenant_id_environment_id_idx" ON "routing_rules"("tenant_id", "environment_id");
CREATE UNIQUE INDEX "suppressions_tenant_id_sandbox_channel_address_key" ON "suppressions"("tenant_id", "sandbox", "channel", "address");
CREATE INDEX "consent_entries_tenant_id_sandbox_channel_address_at_idx" ON "consent_entries"("tenant_id", "sandbox", "channel", "address", "at" DESC);
CREATE INDEX "send_requests_tenant_id_transaction_id_idx" ON "send_requests"("tenant_id", "transaction_id");
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");
CREATE INDEX "notifications_tenant_id_request_id_idx" ON "notifications"("tenant_id", "request_id");
CREATE INDEX "notifications_tenant_id_recipient_id_idx" ON "notifications"("tenant_id", "recipient", "id");
CREATE UNIQUE INDEX "cost_entries_tenant_id_notification_id_attempt_kind_key" ON "cost_entries"("tenant_id", "notification_id", "attempt", "kind");
CREATE INDEX "templates_tenant_id_application_id_name_idx" ON "templates"("tenant_id", "application_id", "name");
CREATE INDEX "template_deployments_tenant_id_environment_id_idx" ON "template_deployments"("tenant_id", "environment_id");
CREATE INDEX "template_tests_tenant_id_template_id_version_idx" ON "template_tests"("tenant_id", "template_id", "version");
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");
CREATE UNIQUE INDEX "organization_units_tenant_id_slug_key" ON "organization_units"("tenant_id", "slug");
CREATE UNIQUE INDEX "environments_tenant_id_slug_key" ON "environments"("tenant_id", "slug");
CREATE INDEX "applications_tenant_id_unit_id_idx" ON "applications"("tenant_id", "unit_id");
CREATE UNIQUE INDEX "applications_tenant_id_name_key" ON "applications"("tenant_id", "name");
CREATE UNIQUE INDEX "pipeline_stages_tenant_id_application_id_environment_id_key" ON "pipeline_stages"("tenant_id", "application_id", "environment_id");
CREATE UNIQUE INDEX "notification_types_tenant_id_type_key" ON "notification_types"("tenant_id", "type");
CREATE INDEX "webhook_endpoints_tenant_id_application_id_environment_id_idx" ON "webhook_endpoints"("tenant_id", "application_id", "environment_id");
CREATE INDEX "webhook_deliveries_tenant_id_endpoint_id_id_idx" ON "webhook_deliveries"("tenant_id", "endpoint_id", "id");
CREATE INDEX "webhook_deliveries_tenant_id_notification_id_idx" ON "webhook_deliveries"("tenant_id", "notification_id");

ALTER TABLE "provider_connections" ADD CONSTRAINT "provider_connections_platform_channel_id_fkey"
  FOREIGN KEY ("platform_channel_id") REFERENCES "platform_channels"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "waiting_messages" ADD CONSTRAINT "waiting_messages_tenant_id_connection_id_fkey"
  FOREIGN KEY ("tenant_id", "connection_id") REFERENCES "connection_health"("tenant_id", "connection_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What prisma/schema has no words for -----------------------------------------------------------------------------

ALTER TABLE connection_health ADD CONSTRAINT connection_health_trial_check CHECK (trial IN ('full', 'careful', 'blind'));

-- Look-ups that come before a tenant is known.
CREATE INDEX provider_connections_id_idx ON provider_connections (id);
CREATE INDEX api_keys_id_idx ON api_keys (id);

-- One text line per audience: two templates that the same request could mean are refused.
CREATE UNIQUE INDEX templates_audience_key ON templates
  (tenant_id, application_id, notification_type, notification_subtype, channel, region, language, provider)
  NULLS NOT DISTINCT WHERE archived_at IS NULL;

-- The Messages list of one environment, newest first, and its unhappy subset.
CREATE INDEX notifications_environment_idx ON notifications (tenant_id, environment_id, id);
CREATE INDEX notifications_unhappy_idx ON notifications (tenant_id, environment_id, id)
  WHERE status IN ('failed', 'rejected', 'expired', 'undetermined', 'canceled');
-- And what is not settled yet: few at any time, so that looking for them stays quick among millions.
CREATE INDEX notifications_open_idx ON notifications (tenant_id, environment_id, id)
  WHERE status IN ('scheduled', 'queued', 'sending');
-- What the safety-net sweep looks through.
CREATE INDEX notifications_due_idx ON notifications (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (next_attempt_at) WHERE state = 'pending';
-- Receipts name the provider's id.
CREATE INDEX notifications_provider_message_idx ON notifications (tenant_id, connection_id, provider_message_id)
  WHERE provider_message_id IS NOT NULL;

-- Of a template and a stage, one promotion at a time is under way.
CREATE UNIQUE INDEX promotion_items_open_key ON promotion_items (tenant_id, to_environment_id, template_id) WHERE open;
-- What somebody has not read yet, which every page asks for.
CREATE INDEX notices_unread_idx ON notices (tenant_id, user_id) WHERE read_at IS NULL;
-- Everybody's notices of a promotion are settled once it is decided.
CREATE INDEX notices_unsettled_idx ON notices (tenant_id, target_id) WHERE read_at IS NULL;
-- Approvals that the worker has to look at.
CREATE INDEX whatsapp_approvals_check_idx ON whatsapp_approvals (checked_at NULLS FIRST) WHERE source = 'provider';

-- Who was given a channel of the operator.
CREATE INDEX provider_connections_platform_channel_idx ON provider_connections (platform_channel_id)
  WHERE platform_channel_id IS NOT NULL;
-- What answers come to is lent to one organisation per channel of the operator.
CREATE UNIQUE INDEX senders_lent_once ON senders (platform_channel_id, channel, address)
  WHERE platform_channel_id IS NOT NULL AND kind IN ('numeric', 'whatsapp') AND NOT repeated;
-- A recipient may answer two applications that share a sender: each has its own conversation, so that a team never sees
-- what was written to another. Those of no application belong to the unit whose the number is.
CREATE UNIQUE INDEX conversations_of_key ON conversations
  (tenant_id, sandbox, channel, address, own_address, application_id, environment_id, unit_id) NULLS NOT DISTINCT;

-- What is due to be probed, of all tenants: read every second.
CREATE INDEX connection_health_probe_idx ON connection_health (next_probe_at) WHERE breaker <> 'closed';
-- Whose waiting messages are to be looked after, of all tenants: read several times a second.
CREATE INDEX connection_health_wake_idx ON connection_health (wake_at) WHERE wake_at IS NOT NULL;
-- Those that were woken and are still to be seen to have gone: few, among many that wait.
CREATE INDEX waiting_messages_woken_idx ON waiting_messages (tenant_id, connection_id) WHERE woken_at IS NOT NULL;

-- A runner finds its own few jobs without reading past the many that wait for another: with 50,000 marketing messages
-- waiting, looking for a one-time code took 6 ms instead of 0.3, for each of the runners and whenever jobs were added.
CREATE INDEX jobs_of_task_idx ON graphile_worker._private_jobs (task_id, priority, run_at) WHERE is_available;
-- Turns, which enqueue_jobs() and give_turns() keep in run_at.
CREATE INDEX jobs_in_turn_idx ON graphile_worker._private_jobs (task_id, (payload->>'tenantId'), run_at)
  WHERE is_available AND run_at < '2010-01-01 00:00:00+00';
CREATE INDEX jobs_for_later_idx ON graphile_worker._private_jobs (task_id, run_at)
  WHERE is_available AND run_at >= '2010-01-01 00:00:00+00';
