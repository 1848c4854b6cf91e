-- What the operator lets an organisation send at most, how much of it is used, and who was told.
CREATE TABLE "tenant_quotas" (
    "tenant_id" UUID NOT NULL,
    "messages_per_day" INTEGER,
    "messages_per_month" INTEGER,
    "requests_per_minute" INTEGER,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_quotas_pkey" PRIMARY KEY ("tenant_id")
);
ALTER TABLE "tenant_quotas" ADD CONSTRAINT "tenant_quotas_check"
  CHECK (messages_per_day > 0 AND messages_per_month > 0 AND requests_per_minute > 0);

CREATE TABLE "quota_days" (
    "tenant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "used" BIGINT NOT NULL,

    CONSTRAINT "quota_days_pkey" PRIMARY KEY ("tenant_id","day")
);

CREATE TABLE "quota_warnings" (
    "tenant_id" UUID NOT NULL,
    "period" TEXT NOT NULL,
    "starts_on" DATE NOT NULL,
    "allowed" INTEGER NOT NULL,
    "percent" INTEGER NOT NULL,

    CONSTRAINT "quota_warnings_pkey" PRIMARY KEY ("tenant_id","period","starts_on","allowed","percent")
);

-- What was accepted this month before anything was counted, by the hourly counts.
INSERT INTO quota_days (tenant_id, day, used)
SELECT c.tenant_id, (c.at AT TIME ZONE 'UTC')::date, sum(CASE c.status WHEN 'accepted' THEN c.count ELSE -c.count END)
FROM (
  SELECT tenant_id, at, environment_id, status, count FROM metric_summaries
  WHERE grain = 'hour' AND kind = 'status' AND status IN ('accepted', 'rejected') AND at >= date_trunc('month', now(), 'UTC')
  UNION ALL
  SELECT tenant_id, hour, environment_id, status, count FROM metric_deltas
  WHERE kind = 'status' AND status IN ('accepted', 'rejected') AND hour >= date_trunc('month', now(), 'UTC')
) AS c
JOIN environments e ON e.tenant_id = c.tenant_id AND e.id = c.environment_id AND e.kind <> 'sandbox'
GROUP BY 1, 2
HAVING sum(CASE c.status WHEN 'accepted' THEN c.count ELSE -c.count END) > 0;
