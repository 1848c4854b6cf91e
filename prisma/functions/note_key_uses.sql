-- Records when and from where API keys were last used: a web process reports those of all tenants at once. What another process
-- has reported in the same minute stands.
-- Owner: access.
CREATE OR REPLACE FUNCTION note_key_uses(p_tenants uuid[], p_keys uuid[], p_times timestamptz[], p_addresses text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH uses AS (
    SELECT u.tenant_id, u.id, least(u.at, now()) AS at, left(u.address, 45) AS address
    FROM unnest(p_tenants, p_keys, p_times, p_addresses) AS u (tenant_id, id, at, address)
  ), held AS (
    -- In one order, so that two processes cannot wait for each other.
    SELECT k.tenant_id, k.id FROM api_keys k JOIN uses u ON k.tenant_id = u.tenant_id AND k.id = u.id
    WHERE k.last_used_at IS NULL OR k.last_used_at < u.at - interval '55 seconds'
    ORDER BY k.tenant_id, k.id FOR UPDATE OF k SKIP LOCKED
  )
  UPDATE api_keys k SET last_used_at = u.at, last_used_from = coalesce(u.address, k.last_used_from)
  FROM held h JOIN uses u USING (tenant_id, id) WHERE k.tenant_id = h.tenant_id AND k.id = h.id
$$;
REVOKE ALL ON FUNCTION note_key_uses FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION note_key_uses TO tidings_web, tidings_worker;
