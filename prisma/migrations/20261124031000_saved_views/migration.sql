-- Views of pages under a name, and their figures by mail.
CREATE TABLE "saved_views" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "user_id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "saved_views_tenant_id_user_id_page_name_key" ON "saved_views"("tenant_id", "user_id", "page", "name");

CREATE TABLE "report_schedules" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "view_id" UUID NOT NULL,
    "rhythm" TEXT NOT NULL,
    "day" INTEGER,
    "hour" INTEGER NOT NULL,
    "time_zone" TEXT NOT NULL,
    "recipients" UUID[],
    "created_by_id" UUID NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3),

    CONSTRAINT "report_schedules_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "report_schedules_next_at_idx" ON "report_schedules"("next_at");

CREATE TABLE "report_sends" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "notification_id" UUID,
    "next_at" TIMESTAMPTZ(3),

    CONSTRAINT "report_sends_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "report_sends_tenant_id_schedule_id_due_at_idx" ON "report_sends"("tenant_id", "schedule_id", "due_at");
CREATE INDEX "report_sends_next_at_idx" ON "report_sends"("next_at");
