-- Counts messages of an agent in this minute, and forgets the minutes that count no more. The caller holds the agent's row.
-- Owner: access.
CREATE OR REPLACE FUNCTION count_agent_messages(p_tenant uuid, p_agent uuid, p_messages int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_minute timestamptz := date_trunc('minute', clock_timestamp());
BEGIN
  DELETE FROM agent_minutes m
  WHERE m.tenant_id = p_tenant AND m.agent_id = p_agent AND m.minute < v_minute - interval '60 minutes';
  INSERT INTO agent_minutes AS m (tenant_id, agent_id, minute, used) VALUES (p_tenant, p_agent, v_minute, greatest(p_messages, 0))
  ON CONFLICT (tenant_id, agent_id, minute) DO UPDATE SET used = m.used + excluded.used;
END
$$;
REVOKE ALL ON FUNCTION count_agent_messages FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION count_agent_messages TO tidings_web;
