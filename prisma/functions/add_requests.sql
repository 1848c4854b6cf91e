-- Adds to the request counts of API keys and returns the sums: a process reports what it counted for all tenants at once.
-- Counts only go up, and only in the minutes that are under way.
-- Owner: access.
CREATE OR REPLACE FUNCTION add_requests(p_tenants uuid[], p_keys uuid[], p_windows timestamptz[], p_used int[])
RETURNS TABLE (api_key_id uuid, used int) LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO rate_windows AS w (tenant_id, api_key_id, window_start, used)
  SELECT r.tenant_id, r.api_key_id, r.window_start, least(greatest(r.used, 0), 1000000)
  FROM unnest(p_tenants, p_keys, p_windows, p_used) AS r (tenant_id, api_key_id, window_start, used)
  WHERE r.window_start BETWEEN now() - interval '5 minutes' AND now() + interval '5 minutes'
  ORDER BY r.tenant_id, r.api_key_id, r.window_start -- so that two processes cannot wait for each other
  ON CONFLICT (tenant_id, api_key_id, window_start) DO UPDATE SET used = least(w.used + excluded.used, 1000000000)
  RETURNING w.api_key_id, w.used
$$;
REVOKE ALL ON FUNCTION add_requests FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION add_requests TO tidings_web, tidings_worker;
