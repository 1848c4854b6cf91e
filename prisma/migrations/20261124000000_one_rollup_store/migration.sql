-- One store of counts and costs in place of two: by hour, day and combination of dimensions, with costs, country and template
-- among them. What was counted before keeps its region as country and has no template; it waits to be folded as new counts do.
ALTER TABLE "notifications" ADD COLUMN "country" TEXT, ADD COLUMN "mail_domain" TEXT;
ALTER TABLE "cost_entries" ADD COLUMN "segments" INTEGER;
UPDATE "cost_entries" e SET "segments" = n."segments" FROM "notifications" n
  WHERE n."tenant_id" = e."tenant_id" AND n."id" = e."notification_id" AND e."kind" = 'message' AND n."segments" IS NOT NULL;
CREATE INDEX "cost_entries_tenant_id_at_id_idx" ON "cost_entries"("tenant_id", "at", "id");

CREATE TABLE "cost_deltas" (
    "tenant_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "notification_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "entries" INTEGER NOT NULL,
    "segments" INTEGER NOT NULL,
    "amount" DECIMAL(18,6) NOT NULL,

    CONSTRAINT "cost_deltas_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "rollup_keys" (
    "tenant_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "slice" TEXT NOT NULL,
    "environment_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "unit_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "notification_type" TEXT NOT NULL,
    "notification_subtype" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "template_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "mail_domain" TEXT NOT NULL,
    "slice_keys" BIGINT[],

    CONSTRAINT "rollup_keys_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "rollup_keys_dimensions_key" ON "rollup_keys"("tenant_id", "slice", "environment_id", "application_id", "unit_id", "channel", "notification_type", "notification_subtype", "country", "template_id", "connection_id", "mail_domain");

CREATE TABLE "rollups" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
    "slice" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" BIGINT NOT NULL,
    "accepted" BIGINT NOT NULL,
    "sent" BIGINT NOT NULL,
    "delivered" BIGINT NOT NULL,
    "final" BIGINT NOT NULL,
    "failed" BIGINT NOT NULL,
    "rejected" BIGINT NOT NULL,
    "expired" BIGINT NOT NULL,
    "canceled" BIGINT NOT NULL,
    "undetermined" BIGINT NOT NULL,
    "read" BIGINT NOT NULL,
    "clicked" BIGINT NOT NULL,
    "bounced" BIGINT NOT NULL,
    "complained" BIGINT NOT NULL,
    "calls_sent" BIGINT NOT NULL,
    "calls_not_sent" BIGINT NOT NULL,
    "calls_unknown" BIGINT NOT NULL,
    "sent_ms" BIGINT[],
    "delivered_ms" BIGINT[],
    "call_ms" BIGINT[],

    CONSTRAINT "rollups_pkey" PRIMARY KEY ("tenant_id","grain","slice","at","key_id")
);

CREATE TABLE "rollup_reasons" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
    "slice" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "provider_code" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "rollup_reasons_pkey" PRIMARY KEY ("tenant_id","grain","slice","at","key_id","status","code","provider_code")
);

CREATE TABLE "rollup_costs" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
    "slice" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "entries" BIGINT NOT NULL,
    "segments" BIGINT NOT NULL,
    "amount" DECIMAL(24,6) NOT NULL,

    CONSTRAINT "rollup_costs_pkey" PRIMARY KEY ("tenant_id","grain","slice","at","key_id","kind","source","currency")
);

CREATE TYPE rollup_count AS (
    key_id BIGINT, accepted BIGINT, sent BIGINT, delivered BIGINT, final BIGINT, failed BIGINT, rejected BIGINT, expired BIGINT, canceled BIGINT, undetermined BIGINT, read BIGINT, clicked BIGINT, bounced BIGINT, complained BIGINT, calls_sent BIGINT, calls_not_sent BIGINT, calls_unknown BIGINT,
    sent_ms BIGINT[], delivered_ms BIGINT[], call_ms BIGINT[]
);
CREATE TYPE rollup_reason AS (key_id BIGINT, status TEXT, code TEXT, provider_code TEXT, count BIGINT);
CREATE TYPE rollup_cost AS (key_id BIGINT, kind TEXT, source TEXT, currency TEXT, entries BIGINT, segments BIGINT, amount DECIMAL);

CREATE TABLE "rollup_packs" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
    "slice" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "counts" rollup_count[],
    "reasons" rollup_reason[],
    "costs" rollup_cost[],

    CONSTRAINT "rollup_packs_pkey" PRIMARY KEY ("tenant_id","grain","slice","at")
);

-- What was counted so far, unfolded counts among it.
CREATE TEMP TABLE counted ON COMMIT DROP AS
  SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
    region AS country, coalesce(connection_id, '00000000-0000-0000-0000-000000000000')::uuid AS connection_id, status, code, latency,
    sum(count)::int AS count
  FROM (SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
          region, connection_id, status, code, latency, count FROM metric_rollups
        UNION ALL
        SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
          region, connection_id, status, code, latency, count FROM metric_deltas) AS c
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;

DROP VIEW IF EXISTS hourly_counts;
DROP TABLE "metric_rollups", "metric_summaries", "metric_deltas";
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
    "country" TEXT NOT NULL,
    "template_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "mail_domain" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "provider_code" TEXT NOT NULL,
    "latency" SMALLINT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "metric_deltas_pkey" PRIMARY KEY ("tenant_id","id")
);

INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
  country, template_id, connection_id, mail_domain, status, code, provider_code, latency, count)
SELECT c.tenant_id, c.hour, c.kind, c.environment_id, c.application_id, c.unit_id, c.channel, c.notification_type, c.notification_subtype,
  c.country, '00000000-0000-0000-0000-000000000000', c.connection_id, '', s.status, s.code, '', s.latency, c.count
FROM counted c CROSS JOIN LATERAL (
  SELECT c.status, CASE WHEN c.status = 'sent' THEN '' ELSE c.code END, c.latency
  UNION ALL SELECT 'final', '', -1 WHERE c.kind = 'status' AND c.status = 'sent' AND c.code = 'final'
) AS s(status, code, latency);
INSERT INTO cost_deltas (tenant_id, notification_id, attempt, kind, source, currency, hour, entries, segments, amount)
SELECT tenant_id, notification_id, attempt, kind, source, currency, date_trunc('hour', at, 'UTC'), 1, coalesce(segments, 0), amount
FROM cost_entries;

-- The worker folds on its own now.
DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
  WHERE t.id = j.task_id AND t.identifier = 'fold_metrics';
