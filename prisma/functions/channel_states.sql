-- The operator's own channels for the console: neither credentials nor settings. The number of connections of each ends at 10,000.
-- Owner: platform.
CREATE OR REPLACE FUNCTION channel_states() RETURNS TABLE (id uuid, name text, provider text, channels text[], region text,
                                                           enabled boolean, connections int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.id, p.name, p.adapter, p.channels, p.processing_region, p.enabled,
    (SELECT count(*)::int FROM (SELECT FROM connection_facts c WHERE c.platform_channel_id = p.id LIMIT 10000) AS counted)
  FROM platform_channels p ORDER BY p.name LIMIT 1000
$$;
REVOKE ALL ON FUNCTION channel_states FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION channel_states TO tidings_console;
