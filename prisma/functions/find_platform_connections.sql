-- Who shares a channel of the operator.
-- Owner: connections.
CREATE OR REPLACE FUNCTION find_platform_connections(p_channel uuid)
RETURNS TABLE (tenant_id uuid, id uuid, settings jsonb, senders jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.id, c.settings, c.senders FROM provider_connections c WHERE c.platform_channel_id = p_channel
$$;
REVOKE ALL ON FUNCTION find_platform_connections FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_platform_connections TO tidings_web, tidings_worker;
