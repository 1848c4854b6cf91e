-- The tables of prisma/schema. Five are partitioned by month on a UUIDv7 column, which carries its time: so a
-- primary key stays (tenant_id, id) and a look-up by id still reads one partition only.

-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "role_assignments" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role_id" UUID NOT NULL,
    "unit_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "role_assignments_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "rate_windows" (
    "tenant_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "rate_windows_pkey" PRIMARY KEY ("tenant_id","api_key_id","window_start")
);

-- CreateTable
CREATE TABLE "sign_in_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "sign_in_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

    CONSTRAINT "provider_connections_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
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

    CONSTRAINT "routing_rules_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "notification_events" (
    "tenant_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "notification_events_pkey" PRIMARY KEY ("tenant_id","notification_id","sequence")
) PARTITION BY RANGE ("notification_id");

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

    CONSTRAINT "template_versions_pkey" PRIMARY KEY ("tenant_id","template_id","version")
);

-- CreateTable
CREATE TABLE "template_deployments" (
    "tenant_id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "deployed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "template_deployments_pkey" PRIMARY KEY ("tenant_id","template_id","environment_id")
);

-- CreateTable
CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "data_region" TEXT NOT NULL DEFAULT 'EU',
    "settings" JSONB NOT NULL DEFAULT '{}',
    "data_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_units" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_units_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "pipeline_stages" (
    "tenant_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "environment_id" UUID NOT NULL,

    CONSTRAINT "pipeline_stages_pkey" PRIMARY KEY ("tenant_id","application_id","position")
);

-- CreateTable
CREATE TABLE "notification_types" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "subtypes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_types_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "roles_tenant_id_key_key" ON "roles"("tenant_id", "key");

-- CreateIndex
CREATE INDEX "role_assignments_tenant_id_user_id_idx" ON "role_assignments"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "sessions_tenant_id_user_id_idx" ON "sessions"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "audit_events_tenant_id_target_type_target_id_id_idx" ON "audit_events"("tenant_id", "target_type", "target_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_connections_tenant_id_name_key" ON "provider_connections"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "routing_rules_tenant_id_environment_id_idx" ON "routing_rules"("tenant_id", "environment_id");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_tenant_id_sandbox_channel_address_key" ON "suppressions"("tenant_id", "sandbox", "channel", "address");

-- CreateIndex
CREATE INDEX "consent_entries_tenant_id_sandbox_channel_address_at_idx" ON "consent_entries"("tenant_id", "sandbox", "channel", "address", "at" DESC);

-- CreateIndex
CREATE INDEX "send_requests_tenant_id_transaction_id_idx" ON "send_requests"("tenant_id", "transaction_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "notifications_tenant_id_request_id_idx" ON "notifications"("tenant_id", "request_id");

-- CreateIndex
CREATE INDEX "notifications_tenant_id_recipient_id_idx" ON "notifications"("tenant_id", "recipient", "id");

-- CreateIndex
CREATE UNIQUE INDEX "cost_entries_tenant_id_notification_id_attempt_kind_key" ON "cost_entries"("tenant_id", "notification_id", "attempt", "kind");

-- CreateIndex
CREATE INDEX "templates_tenant_id_application_id_name_idx" ON "templates"("tenant_id", "application_id", "name");

-- CreateIndex
CREATE INDEX "template_deployments_tenant_id_environment_id_idx" ON "template_deployments"("tenant_id", "environment_id");

-- CreateIndex
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "organization_units_tenant_id_slug_key" ON "organization_units"("tenant_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "environments_tenant_id_slug_key" ON "environments"("tenant_id", "slug");

-- CreateIndex
CREATE INDEX "applications_tenant_id_unit_id_idx" ON "applications"("tenant_id", "unit_id");

-- CreateIndex
CREATE UNIQUE INDEX "applications_tenant_id_name_key" ON "applications"("tenant_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "pipeline_stages_tenant_id_application_id_environment_id_key" ON "pipeline_stages"("tenant_id", "application_id", "environment_id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_types_tenant_id_type_key" ON "notification_types"("tenant_id", "type");

-- CreateIndex
CREATE INDEX "webhook_endpoints_tenant_id_application_id_environment_id_idx" ON "webhook_endpoints"("tenant_id", "application_id", "environment_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_tenant_id_endpoint_id_id_idx" ON "webhook_deliveries"("tenant_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_tenant_id_notification_id_idx" ON "webhook_deliveries"("tenant_id", "notification_id");

-- One text line per audience: two templates that the same request could mean are refused.
CREATE UNIQUE INDEX "templates_audience_key" ON "templates"
  ("tenant_id", "application_id", "notification_type", "notification_subtype", "channel", "region", "language", "provider")
  NULLS NOT DISTINCT WHERE "archived_at" IS NULL;

-- The Messages list of one environment, newest first, and its unhappy subset.
CREATE INDEX "notifications_environment_idx" ON "notifications" ("tenant_id", "environment_id", "id");
CREATE INDEX "notifications_unhappy_idx" ON "notifications" ("tenant_id", "environment_id", "id")
  WHERE "status" IN ('failed', 'rejected', 'expired', 'undetermined', 'canceled');
-- And what is not settled yet: few at any time, so that looking for them stays quick among millions.
CREATE INDEX "notifications_open_idx" ON "notifications" ("tenant_id", "environment_id", "id")
  WHERE "status" IN ('scheduled', 'queued', 'sending');
-- What the safety-net sweep looks through.
CREATE INDEX "notifications_due_idx" ON "notifications" ("due_at") WHERE "due_at" IS NOT NULL;
-- Receipts name the provider's id.
CREATE INDEX "notifications_provider_message_idx" ON "notifications" ("tenant_id", "connection_id", "provider_message_id")
  WHERE "provider_message_id" IS NOT NULL;
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" ("next_attempt_at") WHERE "state" = 'pending';
