-- Objectives of organisations: what is measured, alerts, and status pages.
CREATE TABLE "objective_settings" (
    "tenant_id" UUID NOT NULL,
    "availability_target" DECIMAL(5,3) NOT NULL,
    "codes_target" DECIMAL(5,3) NOT NULL,
    "codes_seconds" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "objective_settings_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "answer_counts" (
    "tenant_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "process_id" UUID NOT NULL,
    "good" BIGINT NOT NULL,
    "missed" BIGINT NOT NULL,

    CONSTRAINT "answer_counts_pkey" PRIMARY KEY ("tenant_id","at","process_id")
);
CREATE INDEX "answer_counts_at_idx" ON "answer_counts"("at");

CREATE TABLE "code_marks" (
    "tenant_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "good" BIGINT NOT NULL,
    "missed" BIGINT NOT NULL,

    CONSTRAINT "code_marks_pkey" PRIMARY KEY ("tenant_id","hour","seen_at")
);
CREATE INDEX "code_marks_seen_at_idx" ON "code_marks"("seen_at");

CREATE TABLE "objective_alerts" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "objective" TEXT NOT NULL,
    "speed" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "burn" DECIMAL(10,2) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),
    "end_mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "objective_alerts_pkey" PRIMARY KEY ("tenant_id","id"),
    CONSTRAINT "objective_alerts_objective_check" CHECK ("objective" IN ('availability', 'codes')),
    CONSTRAINT "objective_alerts_speed_check" CHECK ("speed" IN ('fast', 'slow'))
);
CREATE UNIQUE INDEX "objective_alerts_open_key" ON "objective_alerts"("tenant_id", "objective") WHERE "ended_at" IS NULL;
CREATE INDEX "objective_alerts_unmailed_idx" ON "objective_alerts"("began_at") WHERE "mailed_at" IS NULL OR ("ended_at" IS NOT NULL AND "end_mailed_at" IS NULL);

CREATE TABLE "status_pages" (
    "tenant_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "published" BOOLEAN NOT NULL,
    "figures" BOOLEAN NOT NULL,
    "automatic" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "status_pages_pkey" PRIMARY KEY ("tenant_id")
);
CREATE UNIQUE INDEX "status_pages_slug_key" ON "status_pages"("slug");

CREATE TABLE "status_incidents" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "alert_id" UUID,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "status_incidents_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE INDEX "status_incidents_tenant_id_began_at_idx" ON "status_incidents"("tenant_id", "began_at" DESC);

CREATE TABLE "status_updates" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "status_updates_pkey" PRIMARY KEY ("tenant_id","id"),
    CONSTRAINT "status_updates_tenant_id_incident_id_fkey" FOREIGN KEY ("tenant_id", "incident_id") REFERENCES "status_incidents"("tenant_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "status_updates_tenant_id_incident_id_idx" ON "status_updates"("tenant_id", "incident_id");

CREATE TABLE "web_presence" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "web_presence_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "web_presence_one_row" CHECK ("id" = 1)
);

CREATE TABLE "web_gaps" (
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "web_gaps_pkey" PRIMARY KEY ("began_at")
);
