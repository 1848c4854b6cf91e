-- Takes a challenge, once: false when it was answered before. Whoever calls has checked that it is one of ours and still counts;
-- its hash stays until it would not.
-- Owner: access.
CREATE OR REPLACE FUNCTION take_passkey_challenge(p_hash bytea, p_expires_at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_taken boolean;
BEGIN
  IF length(p_hash) <> 32 OR p_expires_at NOT BETWEEN now() - interval '1 hour' AND now() + interval '1 hour' THEN
    RETURN false;
  END IF;
  INSERT INTO passkey_challenges (hash, expires_at) VALUES (p_hash, p_expires_at + interval '1 minute')
  ON CONFLICT (hash) DO NOTHING;
  v_taken := FOUND;
  DELETE FROM passkey_challenges c WHERE c.hash IN (
    SELECT o.hash FROM passkey_challenges o WHERE o.expires_at < now() ORDER BY o.expires_at LIMIT 20 FOR UPDATE SKIP LOCKED);
  RETURN v_taken;
END
$$;
REVOKE ALL ON FUNCTION take_passkey_challenge FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION take_passkey_challenge TO tidings_web;
