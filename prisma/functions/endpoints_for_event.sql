-- The endpoints of an application and environment that a webhook event is owed to; none for null. Those that are off, for 30 days at
-- most, are owed it too: it is kept for them, to be replayed. Returns a set, because only such a function becomes part of the
-- statement that uses it.
-- Owner: webhooks.
DROP FUNCTION IF EXISTS endpoints_for_event(uuid, uuid, uuid, text);
CREATE FUNCTION endpoints_for_event(p_tenant uuid, p_application uuid, p_environment uuid, p_event text)
RETURNS TABLE (id uuid, enabled boolean) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT e.id, e.enabled FROM webhook_endpoints e
  WHERE e.tenant_id = p_tenant AND e.application_id = p_application AND e.environment_id = p_environment
    AND (e.enabled OR e.disabled_at > now() - interval '30 days')
    AND p_event IS NOT NULL AND (e.events = '{}' OR p_event = ANY (e.events))
$$;
