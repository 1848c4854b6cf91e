-- Only the worker and the owner are let past the guard of the operator's channels: a login that merely belongs to the web's
-- role, and has put that role off, is none of them.
CREATE OR REPLACE FUNCTION guard_platform_connection() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'tidings_worker'
     OR EXISTS (SELECT FROM pg_class c JOIN pg_roles o ON o.oid = c.relowner WHERE c.oid = TG_RELID AND o.rolname = current_user) THEN
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
