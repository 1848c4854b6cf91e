-- Of the requests that accept_sends() takes, what claims an idempotency key.
-- Owner: sending.
CREATE OR REPLACE FUNCTION requested_keys(p_requests jsonb) RETURNS TABLE (
  id uuid, environment_id uuid, application_id uuid, kind text, key text, body_hash bytea, expires_at timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT r.id, r."environmentId", r."applicationId", r."keyKind", r.key, decode(r."bodyHash", 'hex'), r."keyExpiresAt"
  FROM jsonb_to_recordset(p_requests) AS r(id uuid, "environmentId" uuid, "applicationId" uuid, "keyKind" text, key text,
    "bodyHash" text, "keyExpiresAt" timestamptz)
$$;
