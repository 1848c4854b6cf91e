-- Counts one attempt to sign in as failed, before the password is checked, so that concurrent attempts gain nothing.
-- Attempts slow down, they do not lock. Five attempts of a source (a device, an address with an account) are free, 20
-- of an account, 50 of an address; from then on each waits twice as long as the one before, up to 60, 30 and 30
-- seconds. An hour without attempts resets the counts. An attempt that comes too early is not counted: wait_seconds
-- says how long to wait. Nobody must be able to use up an account's attempts by polling: the first two attempts of a
-- source that was not seen within an hour wait neither for the account nor for the address, but are counted. That is
-- two attempts at an account from each IPv4 address or IPv6 /64, and eight from an IPv6 /48 (p_site); an address with
-- 300 failures waits with each attempt, so that it cannot try account after account with two attempts each.
--   p_source, p_account, p_address, p_site   hashes under a key that the database does not have; null does not count
-- Owner: access.
CREATE OR REPLACE FUNCTION count_sign_in(p_source text, p_account text, p_address text, p_site text, OUT wait_seconds int,
                              OUT failures int, OUT account_failures int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_keys text[] := ARRAY(SELECT k FROM unnest(ARRAY['source:' || p_source, 'account:' || p_account, 'address:' || p_address,
                                                    'site:' || p_site]) AS k
                         WHERE length(k) BETWEEN 20 AND 200 ORDER BY k);
  v_now timestamptz;
  v_fresh boolean;
BEGIN
  INSERT INTO sign_in_delays AS d (key, failures, next_at, expires_at)
  SELECT k, 0, '-infinity', now() + interval '1 hour' FROM unnest(v_keys) AS k ORDER BY k ON CONFLICT (key) DO NOTHING;
  PERFORM FROM sign_in_delays d WHERE d.key = ANY (v_keys) ORDER BY d.key FOR UPDATE;
  v_now := clock_timestamp();
  SELECT NOT EXISTS (
    SELECT FROM sign_in_delays d
    WHERE d.key = ANY (v_keys) AND d.expires_at > v_now
      AND d.failures >= CASE split_part(d.key, ':', 1) WHEN 'source' THEN 2 WHEN 'site' THEN 8 WHEN 'address' THEN 300 END
  ) INTO v_fresh;
  SELECT coalesce(max(ceil(extract(epoch FROM d.next_at - v_now))), 0)::int INTO wait_seconds
  FROM sign_in_delays d WHERE d.key = ANY (v_keys) AND d.next_at > v_now AND d.expires_at > v_now AND NOT v_fresh;
  IF wait_seconds > 0 THEN
    RETURN;
  END IF;
  WITH counted AS (
    SELECT d.key, CASE WHEN d.expires_at > v_now THEN d.failures ELSE 0 END + 1 AS n,
           CASE split_part(d.key, ':', 1) WHEN 'source' THEN 5 WHEN 'account' THEN 20 WHEN 'address' THEN 50 END AS free,
           CASE split_part(d.key, ':', 1) WHEN 'source' THEN 60 ELSE 30 END AS longest
    FROM sign_in_delays d WHERE d.key = ANY (v_keys)
  ), updated AS (
    UPDATE sign_in_delays d SET failures = c.n, expires_at = v_now + interval '1 hour',
      next_at = CASE WHEN c.n >= c.free
                     THEN v_now + make_interval(secs => least(c.longest, power(2, least(c.n - c.free, 10))))
                     ELSE '-infinity' END
    FROM counted c WHERE d.key = c.key RETURNING d.key, d.failures
  )
  SELECT max(u.failures) FILTER (WHERE u.key LIKE 'source:%'), max(u.failures) FILTER (WHERE u.key LIKE 'account:%')
  INTO failures, account_failures FROM updated u;
  DELETE FROM sign_in_delays d WHERE d.key IN (
    SELECT o.key FROM sign_in_delays o WHERE o.expires_at < v_now ORDER BY o.expires_at LIMIT 20 FOR UPDATE SKIP LOCKED);
END
$$;
REVOKE ALL ON FUNCTION count_sign_in FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION count_sign_in TO tidings_web;
