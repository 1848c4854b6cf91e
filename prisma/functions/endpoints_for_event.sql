-- The endpoints of an application and environment that a webhook event is owed to; none for null. Returns a set, because only
-- such a function becomes part of the statement that uses it.
-- Owner: webhooks.
CREATE OR REPLACE FUNCTION endpoints_for_event(p_tenant uuid, p_application uuid, p_environment uuid, p_event text)
RETURNS TABLE (id uuid) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT e.id FROM webhook_endpoints e
  WHERE e.tenant_id = p_tenant AND e.application_id = p_application AND e.environment_id = p_environment AND e.enabled
    AND p_event IS NOT NULL AND (e.events = '{}' OR p_event = ANY (e.events))
$$;
