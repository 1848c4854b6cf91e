-- One store of counts and costs in place of two: a row for each hour, day and combination of dimensions, with costs, country
-- and template among them. What was counted before keeps its region as country and has no template.
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

    CONSTRAINT "rollup_keys_pkey" PRIMARY KEY ("tenant_id","id")
);
CREATE UNIQUE INDEX "rollup_keys_dimensions_key" ON "rollup_keys"("tenant_id", "environment_id", "application_id", "unit_id", "channel", "notification_type", "notification_subtype", "country", "template_id", "connection_id", "mail_domain");

CREATE TABLE "rollups" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
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

    CONSTRAINT "rollups_pkey" PRIMARY KEY ("tenant_id","grain","at","key_id")
);

CREATE TABLE "rollup_reasons" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "provider_code" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "rollup_reasons_pkey" PRIMARY KEY ("tenant_id","grain","at","key_id","status","code","provider_code")
);

CREATE TABLE "rollup_costs" (
    "tenant_id" UUID NOT NULL,
    "grain" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "entries" BIGINT NOT NULL,
    "segments" BIGINT NOT NULL,
    "amount" DECIMAL(24,6) NOT NULL,

    CONSTRAINT "rollup_costs_pkey" PRIMARY KEY ("tenant_id","grain","at","key_id","kind","source","currency")
);

-- What was counted so far, unfolded counts among it.
CREATE TEMP TABLE counted ON COMMIT DROP AS
  SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
    region AS country, coalesce(connection_id, '00000000-0000-0000-0000-000000000000') AS connection_id, status, code, latency,
    sum(count)::bigint AS count
  FROM (SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
          region, connection_id, status, code, latency, count FROM metric_rollups
        UNION ALL
        SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
          region, connection_id, status, code, latency, count FROM metric_deltas) AS c
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;

CREATE TEMP TABLE charged ON COMMIT DROP AS
  SELECT e.tenant_id, date_trunc('hour', e.at, 'UTC') AS hour, e.kind, e.source, e.currency, n.environment_id, n.application_id,
    n.unit_id, n.channel, n.notification_type, n.notification_subtype, n.region AS country,
    CASE WHEN e.kind = 'platform_fee' THEN '00000000-0000-0000-0000-000000000000' ELSE
      coalesce(a.connection_id, '00000000-0000-0000-0000-000000000000') END AS connection_id,
    count(*) AS entries, coalesce(sum(e.segments), 0) AS segments, sum(e.amount) AS amount
  FROM cost_entries e
  JOIN notifications n ON n.tenant_id = e.tenant_id AND n.id = e.notification_id
  LEFT JOIN attempts a ON a.tenant_id = e.tenant_id AND a.notification_id = e.notification_id AND a.number = e.attempt
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13;

INSERT INTO rollup_keys (tenant_id, environment_id, application_id, unit_id, channel, notification_type, notification_subtype,
  country, template_id, connection_id, mail_domain)
SELECT DISTINCT tenant_id, environment_id, application_id, unit_id, channel, notification_type, notification_subtype, country,
  '00000000-0000-0000-0000-000000000000'::uuid, connection_id::uuid, ''
FROM (SELECT tenant_id, environment_id, application_id, unit_id, channel, notification_type, notification_subtype, country,
        connection_id FROM counted
      UNION
      SELECT tenant_id, environment_id, application_id, unit_id, channel, notification_type, notification_subtype, country,
        connection_id FROM charged) AS d;

CREATE TEMP TABLE keyed ON COMMIT DROP AS
  SELECT c.tenant_id, grain, date_trunc(grain, c.hour, 'UTC') AS at, k.id AS key_id, c.kind, c.status, c.code, c.latency, c.count
  FROM counted c
  JOIN rollup_keys k ON (k.tenant_id, k.environment_id, k.application_id, k.unit_id, k.channel, k.notification_type,
      k.notification_subtype, k.country, k.connection_id)
    = (c.tenant_id, c.environment_id, c.application_id, c.unit_id, c.channel, c.notification_type, c.notification_subtype,
      c.country, c.connection_id::uuid)
  CROSS JOIN (VALUES ('hour'), ('day')) AS grains(grain);

INSERT INTO rollups (tenant_id, grain, at, key_id, accepted, sent, delivered, final, failed, rejected, expired, canceled,
  undetermined, read, clicked, bounced, complained, calls_sent, calls_not_sent, calls_unknown, sent_ms, delivered_ms, call_ms)
SELECT s.*, h.sent_ms, h.delivered_ms, h.call_ms
FROM (
  SELECT tenant_id, grain, at, key_id,
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'accepted'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'sent'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'delivered'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'sent' AND code = 'final'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'failed'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'rejected'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'expired'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'canceled'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'undetermined'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'read'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'clicked'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'bounced'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'status' AND status = 'complained'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'attempt' AND status = 'sent'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'attempt' AND status = 'not_sent'), 0),
    coalesce(sum(count) FILTER (WHERE kind = 'attempt' AND status = 'unknown'), 0)
  FROM keyed GROUP BY 1, 2, 3, 4
) AS s(tenant_id, grain, at, key_id)
LEFT JOIN (
  SELECT tenant_id, grain, at, key_id,
    array_agg((latency::bigint << 40) | n ORDER BY latency) FILTER (WHERE measure = 'sent') AS sent_ms,
    array_agg((latency::bigint << 40) | n ORDER BY latency) FILTER (WHERE measure = 'delivered') AS delivered_ms,
    array_agg((latency::bigint << 40) | n ORDER BY latency) FILTER (WHERE measure = 'call') AS call_ms
  FROM (SELECT tenant_id, grain, at, key_id, CASE WHEN kind = 'attempt' THEN 'call' ELSE status END AS measure, latency,
          sum(count)::bigint AS n
        FROM keyed WHERE latency >= 0 AND (kind = 'attempt' OR status IN ('sent', 'delivered'))
        GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) > 0) AS measured
  GROUP BY 1, 2, 3, 4
) AS h USING (tenant_id, grain, at, key_id);

INSERT INTO rollup_reasons (tenant_id, grain, at, key_id, status, code, provider_code, count)
SELECT tenant_id, grain, at, key_id, status, code, '', sum(count)
FROM keyed
WHERE CASE kind WHEN 'attempt' THEN status IN ('not_sent', 'unknown')
  ELSE status IN ('failed', 'rejected', 'expired', 'canceled', 'undetermined') END
GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) <> 0;

INSERT INTO rollup_costs (tenant_id, grain, at, key_id, kind, source, currency, entries, segments, amount)
SELECT c.tenant_id, grain, date_trunc(grain, c.hour, 'UTC'), k.id, c.kind, c.source, c.currency, sum(c.entries), sum(c.segments),
  sum(c.amount)
FROM charged c
JOIN rollup_keys k ON (k.tenant_id, k.environment_id, k.application_id, k.unit_id, k.channel, k.notification_type,
    k.notification_subtype, k.country, k.connection_id)
  = (c.tenant_id, c.environment_id, c.application_id, c.unit_id, c.channel, c.notification_type, c.notification_subtype,
    c.country, c.connection_id::uuid)
CROSS JOIN (VALUES ('hour'), ('day')) AS grains(grain)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

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

-- The worker folds on its own now.
DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
  WHERE t.id = j.task_id AND t.identifier = 'fold_metrics';
