-- Adds to the messages that organisations had accepted on days (UTC), and answers for those with a quota what it is and how much of
-- it is used: a process reports what it counted for all of them at once. What came to nothing is given back as less than zero.
-- Owner: quotas.
CREATE OR REPLACE FUNCTION add_quota_use(p_tenants uuid[], p_days date[], p_used int[])
RETURNS TABLE (tenant_id uuid, day date, messages_per_day int, messages_per_month int, requests_per_minute int,
  used_day bigint, used_month bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO quota_days AS q (tenant_id, day, used)
  SELECT r.tenant_id, r.day, r.used
  FROM unnest(p_tenants, p_days, p_used) AS r (tenant_id, day, used)
  WHERE r.used <> 0 AND r.day BETWEEN current_date - 40 AND current_date + 40
  ORDER BY r.tenant_id, r.day -- so that two processes cannot wait for each other
  ON CONFLICT (tenant_id, day) DO UPDATE SET used = greatest(q.used + excluded.used, 0);

  -- A statement of its own: it sees what the first wrote, and what others have committed while that waited.
  SELECT r.tenant_id, r.day, t.messages_per_day, t.messages_per_month, t.requests_per_minute,
    coalesce(u.of_day, 0)::bigint, coalesce(u.of_month, 0)::bigint
  FROM unnest(p_tenants, p_days) AS r (tenant_id, day)
  JOIN tenant_quotas t ON t.tenant_id = r.tenant_id
  CROSS JOIN LATERAL (
    SELECT sum(d.used) FILTER (WHERE d.day = r.day) AS of_day, sum(d.used) AS of_month FROM quota_days d
    WHERE d.tenant_id = r.tenant_id AND d.day >= date_trunc('month', r.day::timestamp)::date
      AND d.day < (date_trunc('month', r.day::timestamp) + interval '1 month')::date
  ) AS u
$$;
REVOKE ALL ON FUNCTION add_quota_use FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION add_quota_use TO tidings_web, tidings_worker;
