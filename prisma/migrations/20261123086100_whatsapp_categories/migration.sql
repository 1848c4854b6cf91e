-- The category that WhatsApp has decided for an approved template, and the one that it has announced.
ALTER TABLE "whatsapp_approvals" ADD COLUMN "category" TEXT, ADD COLUMN "next_category" TEXT,
    ADD COLUMN "next_category_at" TIMESTAMPTZ(3);

CREATE TABLE "whatsapp_category_changes" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "template_id" UUID NOT NULL,
    "template_name" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "previous" TEXT,
    "category" TEXT NOT NULL,
    "connection_id" UUID,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "whatsapp_category_changes_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "whatsapp_category_changes_template_idx" ON "whatsapp_category_changes"("tenant_id", "template_id", "at" DESC, "id" DESC);
CREATE INDEX "whatsapp_approvals_tenant_id_template_name_idx" ON "whatsapp_approvals"("tenant_id", "template_name");
