-- The token of the set-up page: what it is made from and its hash. No row once there is an organisation. Where there is no token
-- yet, the one that is given becomes it, so that all processes have the same.
-- Owner: onboarding.
CREATE OR REPLACE FUNCTION set_up_token(p_nonce bytea, p_hash bytea) RETURNS TABLE (nonce bytea, hash bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM tenants) THEN
    RETURN;
  END IF;
  IF length(p_nonce) <> 32 OR length(p_hash) <> 32 THEN
    RAISE EXCEPTION 'nonce and hash have 32 bytes' USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO set_up_tokens (nonce, hash) VALUES (p_nonce, p_hash) ON CONFLICT (id) DO NOTHING;
  RETURN QUERY SELECT t.nonce, t.hash FROM set_up_tokens t;
END
$$;
REVOKE ALL ON FUNCTION set_up_token FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION set_up_token TO tidings_web;
