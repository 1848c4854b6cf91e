-- Trigger of provider_connections. A channel of the operator is given, changed and taken by the worker and the owner; an
-- organisation may switch it off and on, rename it, say where answers go and which of its units a lent sender is.
-- Owner: connections.
CREATE OR REPLACE FUNCTION guard_platform_connection() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'tidings_worker'
     OR EXISTS (SELECT FROM pg_class c JOIN pg_roles o ON o.oid = c.relowner WHERE c.oid = TG_RELID AND o.rolname = current_user) THEN
    RETURN coalesce(NEW, OLD);
  END IF;
  IF TG_OP <> 'UPDATE'
     OR NEW.platform_channel_id IS DISTINCT FROM OLD.platform_channel_id
     OR (SELECT jsonb_agg(e - 'unitId' ORDER BY n) FROM jsonb_array_elements(NEW.senders) WITH ORDINALITY AS x(e, n))
        IS DISTINCT FROM
        (SELECT jsonb_agg(e - 'unitId' ORDER BY n) FROM jsonb_array_elements(OLD.senders) WITH ORDINALITY AS x(e, n))
     OR (NEW.tenant_id, NEW.id, NEW.unit_id, NEW.adapter, NEW.channels, NEW.credentials, NEW.settings,
         NEW.rate_per_second, NEW.price_list, NEW.processing_region)
        IS DISTINCT FROM
        (OLD.tenant_id, OLD.id, OLD.unit_id, OLD.adapter, OLD.channels, OLD.credentials, OLD.settings,
         OLD.rate_per_second, OLD.price_list, OLD.processing_region) THEN
    RAISE EXCEPTION 'an operator''s channel is given and changed by the operator only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER guard_new_platform_connection BEFORE INSERT ON provider_connections FOR EACH ROW
  WHEN (NEW.platform_channel_id IS NOT NULL) EXECUTE FUNCTION guard_platform_connection();
CREATE OR REPLACE TRIGGER guard_changed_platform_connection BEFORE UPDATE ON provider_connections FOR EACH ROW
  WHEN (OLD.platform_channel_id IS NOT NULL OR NEW.platform_channel_id IS NOT NULL) EXECUTE FUNCTION guard_platform_connection();
CREATE OR REPLACE TRIGGER guard_ended_platform_connection BEFORE DELETE ON provider_connections FOR EACH ROW
  WHEN (OLD.platform_channel_id IS NOT NULL) EXECUTE FUNCTION guard_platform_connection();
