-- Webhook deliveries that are owed, of all organisations: what a hold of sending keeps.
-- Owner: webhooks.
CREATE OR REPLACE FUNCTION held_webhooks() RETURNS TABLE (slug text, waiting bigint, oldest_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.slug, count(*), min(d.at) FROM webhook_deliveries d JOIN tenant_states t ON t.id = d.tenant_id
  WHERE d.state = 'pending' GROUP BY t.slug ORDER BY t.slug LIMIT 10000
$$;
REVOKE ALL ON FUNCTION held_webhooks FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION held_webhooks TO tidings_console;
