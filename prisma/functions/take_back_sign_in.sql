-- Takes back a try that succeeded: what it came from starts anew, account and address have one less.
-- Owner: access.
CREATE OR REPLACE FUNCTION take_back_sign_in(p_source text, p_account text, p_address text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM sign_in_delays WHERE key = 'source:' || p_source;
  UPDATE sign_in_delays SET failures = greatest(failures - 1, 0), next_at = '-infinity'
  WHERE key = 'account:' || p_account;
  UPDATE sign_in_delays SET failures = greatest(failures - 1, 0), next_at = '-infinity'
  WHERE key = 'address:' || p_address;
END
$$;
REVOKE ALL ON FUNCTION take_back_sign_in FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION take_back_sign_in TO tidings_web;
