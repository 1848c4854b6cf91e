-- Connections of every kind, their health, rules with a history, messages from recipients, short links.

-- AlterTable
ALTER TABLE "provider_connections" ADD COLUMN     "inbound_application_id" UUID,
ADD COLUMN     "inbound_environment_id" UUID,
ADD COLUMN     "platform_channel_id" UUID,
ADD COLUMN     "slow_after_ms" INTEGER NOT NULL DEFAULT 5000,
ADD COLUMN     "test_problem" TEXT,
ADD COLUMN     "tested_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "routing_rules" ADD COLUMN     "name" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "platform_fees" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

    CONSTRAINT "shorteners_pkey" PRIMARY KEY ("tenant_id","environment_id")
);

-- CreateTable
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

    CONSTRAINT "short_links_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
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

-- CreateTable
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

    CONSTRAINT "connection_health_pkey" PRIMARY KEY ("tenant_id","connection_id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateIndex
CREATE INDEX "conversations_tenant_id_last_inbound_at_id_idx" ON "conversations"("tenant_id", "last_inbound_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "conversations_tenant_id_sandbox_channel_address_own_address_key" ON "conversations"("tenant_id", "sandbox", "channel", "address", "own_address");

-- CreateIndex
CREATE INDEX "inbound_messages_tenant_id_conversation_id_at_id_idx" ON "inbound_messages"("tenant_id", "conversation_id", "at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "inbound_messages_tenant_id_connection_id_provider_message_i_key" ON "inbound_messages"("tenant_id", "connection_id", "provider_message_id");

-- CreateIndex
CREATE UNIQUE INDEX "short_links_code_key" ON "short_links"("code");

-- CreateIndex
CREATE INDEX "short_links_tenant_id_notification_id_idx" ON "short_links"("tenant_id", "notification_id");

-- CreateIndex
CREATE INDEX "short_links_expires_at_idx" ON "short_links"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "platform_channels_name_key" ON "platform_channels"("name");

-- CreateIndex
CREATE INDEX "connection_incidents_tenant_id_connection_id_id_idx" ON "connection_incidents"("tenant_id", "connection_id", "id" DESC);


-- By hand: who may see which row -------------------------------------------------------------------------------

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY[
    'connection_health', 'connection_incidents', 'routing_revisions', 'conversations', 'inbound_messages', 'shorteners',
    'short_links'
  ] LOOP
    PERFORM protect_table(t::regclass, 'tenant_id');
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO tidings_web, tidings_worker', t);
  END LOOP;
END
$$;
-- What happened is written once.
REVOKE UPDATE, DELETE ON routing_revisions, connection_incidents FROM tidings_web;
REVOKE UPDATE ON routing_revisions, connection_incidents FROM tidings_worker;

-- The operator's channels belong to no tenant: the worker sees them, a web request those that its tenant was given.
ALTER TABLE platform_channels ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_channels FORCE ROW LEVEL SECURITY;
CREATE POLICY given_channels ON platform_channels FOR SELECT TO tidings_web USING (EXISTS (
  SELECT FROM provider_connections c WHERE c.tenant_id = (SELECT current_tenant()) AND c.platform_channel_id = platform_channels.id));
CREATE POLICY worker_access ON platform_channels FOR SELECT TO tidings_worker USING (true);
CREATE POLICY owner_access ON platform_channels TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT ON platform_channels TO tidings_web, tidings_worker;
CREATE INDEX provider_connections_platform_channel_idx ON provider_connections (platform_channel_id)
  WHERE platform_channel_id IS NOT NULL;
