-- Templates that are promoted from stage to stage, moderated with AI, imported and tested; what members are told.

-- AlterTable
ALTER TABLE "pipeline_stages" ADD COLUMN     "gates" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "template_deployments" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "disabled_by" TEXT,
ADD COLUMN     "disabled_reason" TEXT,
ADD COLUMN     "promotion_id" UUID;

-- AlterTable
ALTER TABLE "template_versions" ADD COLUMN     "compiled_body" TEXT;

-- CreateTable
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

-- CreateTable
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

    CONSTRAINT "promotions_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateTable
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

-- CreateIndex
CREATE INDEX "ai_usage_tenant_id_at_idx" ON "ai_usage"("tenant_id", "at");

-- CreateIndex
CREATE INDEX "promotions_tenant_id_application_id_id_idx" ON "promotions"("tenant_id", "application_id", "id");

-- CreateIndex
CREATE INDEX "promotion_items_tenant_id_template_id_idx" ON "promotion_items"("tenant_id", "template_id");

-- CreateIndex
CREATE INDEX "notices_tenant_id_user_id_id_idx" ON "notices"("tenant_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "template_tests_tenant_id_template_id_version_idx" ON "template_tests"("tenant_id", "template_id", "version");

-- Of a template and a stage, one promotion at a time is under way.
CREATE UNIQUE INDEX promotion_items_open_key ON promotion_items (tenant_id, to_environment_id, template_id) WHERE open;
-- What somebody has not read yet, which every page asks for.
CREATE INDEX notices_unread_idx ON notices (tenant_id, user_id) WHERE read_at IS NULL;
-- Everybody's notices of a promotion are settled once it is decided.
CREATE INDEX notices_unsettled_idx ON notices (tenant_id, target_id) WHERE read_at IS NULL;
-- Imports and approvals that the worker has to look at.
CREATE INDEX whatsapp_approvals_check_idx ON whatsapp_approvals (checked_at NULLS FIRST) WHERE source = 'provider';

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY[
    'ai_usage', 'notices', 'promotion_decisions', 'promotion_items', 'promotions', 'template_import_items',
    'template_imports', 'template_tests', 'whatsapp_approvals'
  ] LOOP
    PERFORM protect_table(t::regclass, 'tenant_id');
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO tidings_web, tidings_worker', t);
  END LOOP;
END
$$;
-- Written once.
REVOKE UPDATE, DELETE ON ai_usage, promotion_decisions FROM tidings_web;
REVOKE UPDATE ON ai_usage, promotion_decisions FROM tidings_worker;
REVOKE DELETE ON promotions, promotion_items FROM tidings_web;

-- Until now every stage was open to whoever may deploy: production asks for another person's approval from here on.
UPDATE pipeline_stages s SET gates = jsonb_build_object(
  'approvals', CASE WHEN e.kind = 'production' THEN 1 ELSE 0 END, 'moderation', true, 'whatsappApproval', e.kind = 'production', 'testSend', false)
FROM environments e WHERE e.tenant_id = s.tenant_id AND e.id = s.environment_id;
