-- How many messages are not sent yet and have not ended, by status, of all organisations, for metrics. Reads what is open alone, so
-- that it costs the same whatever has been sent before.
--   p_tenants   of so many organisations
--   p_each      so many messages of one of them, ...
--   p_most      ... and in all: counts end there
-- Owner: sending.
CREATE OR REPLACE FUNCTION open_messages(p_tenants int, p_each int, p_most int) RETURNS TABLE (status text, messages int)
LANGUAGE sql STABLE SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  WITH RECURSIVE found(tenant, number) AS (
    SELECT (SELECT tenant_id FROM notifications WHERE status IN ('pending_approval', 'scheduled', 'queued', 'sending')
            ORDER BY tenant_id LIMIT 1), 1
    UNION ALL
    SELECT (SELECT tenant_id FROM notifications
            WHERE tenant_id > f.tenant AND status IN ('pending_approval', 'scheduled', 'queued', 'sending')
            ORDER BY tenant_id LIMIT 1), f.number + 1
    FROM found f WHERE f.tenant IS NOT NULL AND f.number < p_tenants
  )
  SELECT o.status, count(*)::int FROM (
    SELECT n.status FROM found f
    CROSS JOIN LATERAL (
      SELECT status FROM notifications
      WHERE tenant_id = f.tenant AND status IN ('pending_approval', 'scheduled', 'queued', 'sending')
      ORDER BY environment_id, id LIMIT p_each) AS n
    LIMIT p_most) AS o
  GROUP BY o.status
$$;
REVOKE ALL ON FUNCTION open_messages FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION open_messages TO tidings_worker;
