-- How many connections of all organisations are open, half open or slow, by adapter, for metrics.
-- Owner: health.
CREATE OR REPLACE FUNCTION unhealthy_connections() RETURNS TABLE (adapter text, state text, connections int)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT c.adapter, s.state, count(*)::int
  FROM connection_states h
  JOIN connection_facts c ON c.tenant_id = h.tenant_id AND c.id = h.connection_id
  CROSS JOIN LATERAL (VALUES (h.breaker), (CASE WHEN h.slow THEN 'slow' END)) AS s(state)
  WHERE s.state IN ('open', 'half_open', 'slow') GROUP BY 1, 2
$$;
REVOKE ALL ON FUNCTION unhealthy_connections FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION unhealthy_connections TO tidings_worker;
