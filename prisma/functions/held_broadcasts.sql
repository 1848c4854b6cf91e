-- Broadcasts that go on when a hold of sending ends, of all organisations: their remaining recipients have no messages yet.
-- Owner: sending.
CREATE OR REPLACE FUNCTION held_broadcasts() RETURNS TABLE (slug text, broadcasts bigint, oldest_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.slug, count(*), min(b.created_at) FROM broadcasts b JOIN tenant_states t ON t.id = b.tenant_id
  WHERE b.state IN ('listing', 'ready', 'sending', 'canceling')
  GROUP BY t.slug ORDER BY t.slug LIMIT 10000
$$;
REVOKE ALL ON FUNCTION held_broadcasts FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION held_broadcasts TO tidings_console;
