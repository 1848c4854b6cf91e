-- The operator's own channels: given and taken by operators only, and told apart when their provider reports.

-- A channel that somebody was given cannot be removed.
ALTER TABLE provider_connections ADD CONSTRAINT provider_connections_platform_channel_id_fkey
  FOREIGN KEY (platform_channel_id) REFERENCES platform_channels (id) ON DELETE RESTRICT ON UPDATE NO ACTION;

-- A web request works for one organisation. It may switch a connection of the operator's account off and on, rename it and
-- say where answers go; it may neither make nor end one, nor change what the operator decides about the account's use.
CREATE FUNCTION guard_platform_connection() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user <> 'tidings_web' THEN
    RETURN coalesce(NEW, OLD);
  END IF;
  IF TG_OP <> 'UPDATE'
     OR NEW.platform_channel_id IS DISTINCT FROM OLD.platform_channel_id
     OR (NEW.tenant_id, NEW.id, NEW.unit_id, NEW.adapter, NEW.channels, NEW.credentials, NEW.settings, NEW.senders,
         NEW.rate_per_second, NEW.price_list, NEW.processing_region)
        IS DISTINCT FROM
        (OLD.tenant_id, OLD.id, OLD.unit_id, OLD.adapter, OLD.channels, OLD.credentials, OLD.settings, OLD.senders,
         OLD.rate_per_second, OLD.price_list, OLD.processing_region) THEN
    RAISE EXCEPTION 'an operator''s channel is given and changed by the operator only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard_new_platform_connection BEFORE INSERT ON provider_connections FOR EACH ROW
  WHEN (NEW.platform_channel_id IS NOT NULL) EXECUTE FUNCTION guard_platform_connection();
CREATE TRIGGER guard_changed_platform_connection BEFORE UPDATE ON provider_connections FOR EACH ROW
  WHEN (OLD.platform_channel_id IS NOT NULL OR NEW.platform_channel_id IS NOT NULL) EXECUTE FUNCTION guard_platform_connection();
CREATE TRIGGER guard_ended_platform_connection BEFORE DELETE ON provider_connections FOR EACH ROW
  WHEN (OLD.platform_channel_id IS NOT NULL) EXECUTE FUNCTION guard_platform_connection();

-- Callbacks of a channel come before a tenant is known: the account that they are to be checked with, ...
CREATE FUNCTION find_platform_channel(p_id uuid)
RETURNS TABLE (id uuid, name text, adapter text, credentials bytea, settings jsonb, updated_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.id, c.name, c.adapter, c.credentials, c.settings, c.updated_at FROM platform_channels c WHERE c.id = p_id
$$;

-- ... who shares it, ...
CREATE FUNCTION find_platform_connections(p_channel uuid)
RETURNS TABLE (tenant_id uuid, id uuid, settings jsonb, senders jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.id, c.settings, c.senders FROM provider_connections c WHERE c.platform_channel_id = p_channel
$$;

-- ... and whose messages it tells of.
CREATE FUNCTION find_platform_messages(p_channel uuid, p_provider_message_ids text[], p_notifications uuid[])
RETURNS TABLE (tenant_id uuid, connection_id uuid, notification_id uuid, provider_message_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.id, n.id, n.provider_message_id
  FROM provider_connections c
  JOIN notifications n ON n.tenant_id = c.tenant_id AND n.connection_id = c.id AND n.provider_message_id = ANY (p_provider_message_ids)
  WHERE c.platform_channel_id = p_channel
  UNION ALL
  SELECT c.tenant_id, c.id, a.notification_id, NULL
  FROM provider_connections c
  JOIN attempts a ON a.tenant_id = c.tenant_id AND a.notification_id = ANY (p_notifications) AND a.connection_id = c.id
  WHERE c.platform_channel_id = p_channel
$$;

DO $$
DECLARE f text;
BEGIN
  FOREACH f IN ARRAY ARRAY[
    'find_platform_channel(uuid)', 'find_platform_connections(uuid)', 'find_platform_messages(uuid, text[], uuid[])'
  ] LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO tidings_web, tidings_worker', f);
  END LOOP;
END
$$;
