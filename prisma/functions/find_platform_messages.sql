-- Whose the messages are that a callback to a channel of the operator reports, by the provider's id or by ours.
-- Owner: platform.
CREATE OR REPLACE FUNCTION find_platform_messages(p_channel uuid, p_provider_message_ids text[], p_notifications uuid[])
RETURNS TABLE (tenant_id uuid, connection_id uuid, notification_id uuid, provider_message_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.id, n.id, n.provider_message_id
  FROM connection_facts c
  JOIN notification_facts n ON n.tenant_id = c.tenant_id AND n.connection_id = c.id AND n.provider_message_id = ANY (p_provider_message_ids)
  WHERE c.platform_channel_id = p_channel
  UNION ALL
  SELECT c.tenant_id, c.id, a.notification_id, NULL
  FROM connection_facts c
  JOIN attempt_facts a ON a.tenant_id = c.tenant_id AND a.notification_id = ANY (p_notifications) AND a.connection_id = c.id
  WHERE c.platform_channel_id = p_channel
$$;
REVOKE ALL ON FUNCTION find_platform_messages FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_platform_messages TO tidings_web, tidings_worker;
