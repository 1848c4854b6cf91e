-- A channel of the operator by its id: the account with which a callback is checked before a tenant is known.
-- Owner: platform.
CREATE OR REPLACE FUNCTION find_platform_channel(p_id uuid)
RETURNS TABLE (id uuid, name text, adapter text, credentials bytea, settings jsonb, updated_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.id, c.name, c.adapter, c.credentials, c.settings, c.updated_at FROM platform_channels c WHERE c.id = p_id
$$;
REVOKE ALL ON FUNCTION find_platform_channel FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_platform_channel TO tidings_web, tidings_worker;
