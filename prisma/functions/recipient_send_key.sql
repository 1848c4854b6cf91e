-- What stands for an address where messages to it are counted; what no recipient gets, of the sandbox or over a simulator, counts
-- by itself.
-- Owner: recipient-limits.
CREATE OR REPLACE FUNCTION recipient_send_key(p_tenant uuid, p_sandbox boolean, p_recipient text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(p_tenant::text || '/' || p_sandbox::text || '/' || p_recipient, 0)
$$;
REVOKE ALL ON FUNCTION recipient_send_key FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION recipient_send_key TO tidings_web, tidings_worker;
