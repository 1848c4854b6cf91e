-- Which organisations have one of the operator's channels, and from which senders: what the operator has lent them, and nothing
-- else of a connection.
-- Owner: platform.
CREATE OR REPLACE FUNCTION channel_assignments(p_channel uuid, p_before uuid, p_limit int)
RETURNS TABLE (id uuid, organisation uuid, slug text, connection text, enabled boolean, senders jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.id, t.id, t.slug, c.name, c.enabled,
    coalesce((SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('channel', s.channel, 'region', s.region, 'sender', s.sender))
        ORDER BY s.position)
      FROM sender_facts s WHERE s.tenant_id = c.tenant_id AND s.connection_id = c.id), '[]')
  FROM connection_facts c JOIN tenant_facts t ON t.id = c.tenant_id
  WHERE c.platform_channel_id = p_channel AND (p_before IS NULL OR c.id < p_before)
  ORDER BY c.id DESC LIMIT least(p_limit, 201)
$$;
REVOKE ALL ON FUNCTION channel_assignments FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION channel_assignments TO tidings_console;
