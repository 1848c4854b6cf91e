-- How many messages an agent may still have accepted in the sixty minutes that end now; 0 for an agent that is not there. Its row is
-- held until the transaction ends, so that nobody else counts meanwhile. Counts by the minute, and the oldest minute in full, so
-- that no sixty minutes ever hold more than the cap.
-- Owner: access.
CREATE OR REPLACE FUNCTION agent_room(p_tenant uuid, p_agent uuid, p_cap int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  -- The cap as it is now, should the caller know an older one.
  SELECT least(p_cap, a.hourly_cap) INTO p_cap FROM agents a WHERE a.tenant_id = p_tenant AND a.id = p_agent FOR UPDATE;
  RETURN coalesce(greatest(p_cap - (SELECT coalesce(sum(m.used), 0) FROM agent_minutes m WHERE m.tenant_id = p_tenant
    AND m.agent_id = p_agent AND m.minute >= date_trunc('minute', clock_timestamp()) - interval '60 minutes'), 0), 0);
END
$$;
REVOKE ALL ON FUNCTION agent_room FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION agent_room TO tidings_web;
