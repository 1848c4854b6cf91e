-- An account belongs to one organisation: whoever adds an address neither takes it from nor learns of another.
DROP INDEX "users_email_key";
CREATE UNIQUE INDEX "users_tenant_id_email_key" ON "users"("tenant_id", "email");
CREATE INDEX "users_email_idx" ON "users"("email");

-- The account that somebody signs in to, by organisation and address; without an organisation that of the only one there
-- is. Whether the person has signed in from this address in the last 90 days comes with it, in one statement, so that the
-- answer takes as long for an account that is not there.
DROP FUNCTION find_sign_in(text);
CREATE FUNCTION find_sign_in(p_organisation text, p_email text, p_ip text)
RETURNS TABLE (tenant_id uuid, tenant_slug text, user_id uuid, name text, password_hash text, disabled_at timestamptz,
               known_address boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.tenant_id, t.slug, u.id, u.name, u.password_hash, u.disabled_at,
         EXISTS (SELECT FROM sessions s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.ip = p_ip
                 AND s.created_at > now() - interval '90 days')
  FROM tenants t JOIN users u ON u.tenant_id = t.id AND u.email = lower(p_email)
  WHERE t.slug = coalesce(lower(p_organisation),
                          (SELECT min(o.slug) FROM (SELECT slug FROM tenants LIMIT 2) AS o HAVING count(*) = 1))
$$;

-- The accounts of an address that an identity provider vouches for, the oldest first.
CREATE FUNCTION find_identities(p_email text)
RETURNS TABLE (tenant_id uuid, tenant_slug text, user_id uuid, name text, password_hash text, disabled_at timestamptz,
               known_address boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.tenant_id, t.slug, u.id, u.name, NULL::text, u.disabled_at, false
  FROM users u JOIN tenants t ON t.id = u.tenant_id
  WHERE u.email = lower(p_email) AND u.disabled_at IS NULL
  ORDER BY u.created_at, u.id LIMIT 100
$$;

-- Whether the sign-in page has to ask for the organisation.
CREATE FUNCTION has_one_organisation() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*) < 2 FROM (SELECT FROM tenants LIMIT 2) AS t
$$;

-- Tries to sign in slow down, they do not lock. Keys are hashes under a key that the database does not have.
DROP TABLE "sign_in_limits";
CREATE TABLE "sign_in_delays" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_delays_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "sign_in_delays_expires_at_idx" ON "sign_in_delays"("expires_at");

-- Counts one try as failed before the password is looked at, so that many at once are not more than one after the other. Of
-- what it comes from (a device, an address with an account) five are free, of an account 20, of an address 50; from then on
-- each waits twice as long as the one before, up to 60, 30 and 30 seconds. An hour without a try forgets them. A try that
-- comes too early is not counted: wait_seconds says how long. A key that is null does not count.
CREATE FUNCTION count_sign_in(p_source text, p_account text, p_address text, OUT wait_seconds int, OUT failures int,
                              OUT account_failures int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_keys text[] := ARRAY(SELECT k FROM unnest(ARRAY['source:' || p_source, 'account:' || p_account, 'address:' || p_address]) AS k
                         WHERE length(k) BETWEEN 20 AND 200 ORDER BY k);
  v_now timestamptz;
BEGIN
  INSERT INTO sign_in_delays AS d (key, failures, next_at, expires_at)
  SELECT k, 0, '-infinity', now() + interval '1 hour' FROM unnest(v_keys) AS k ORDER BY k ON CONFLICT (key) DO NOTHING;
  PERFORM FROM sign_in_delays d WHERE d.key = ANY (v_keys) ORDER BY d.key FOR UPDATE;
  v_now := clock_timestamp();
  SELECT coalesce(max(ceil(extract(epoch FROM d.next_at - v_now))), 0)::int INTO wait_seconds
  FROM sign_in_delays d WHERE d.key = ANY (v_keys) AND d.next_at > v_now AND d.expires_at > v_now;
  IF wait_seconds > 0 THEN
    RETURN;
  END IF;
  WITH counted AS (
    SELECT d.key, CASE WHEN d.expires_at > v_now THEN d.failures ELSE 0 END + 1 AS n,
           CASE split_part(d.key, ':', 1) WHEN 'source' THEN 5 WHEN 'account' THEN 20 ELSE 50 END AS free,
           CASE split_part(d.key, ':', 1) WHEN 'source' THEN 60 ELSE 30 END AS longest
    FROM sign_in_delays d WHERE d.key = ANY (v_keys)
  ), updated AS (
    UPDATE sign_in_delays d SET failures = c.n, expires_at = v_now + interval '1 hour',
      next_at = CASE WHEN c.n < c.free THEN '-infinity'
                     ELSE v_now + make_interval(secs => least(c.longest, power(2, least(c.n - c.free, 10)))) END
    FROM counted c WHERE d.key = c.key RETURNING d.key, d.failures
  )
  SELECT max(u.failures) FILTER (WHERE u.key LIKE 'source:%'), max(u.failures) FILTER (WHERE u.key LIKE 'account:%')
  INTO failures, account_failures FROM updated u;
  DELETE FROM sign_in_delays d WHERE d.key IN (
    SELECT o.key FROM sign_in_delays o WHERE o.expires_at < v_now ORDER BY o.expires_at LIMIT 20 FOR UPDATE SKIP LOCKED);
END
$$;

-- Takes back a try that succeeded: what it came from starts anew, account and address have one less.
CREATE FUNCTION take_back_sign_in(p_source text, p_account text, p_address text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM sign_in_delays WHERE key = 'source:' || p_source;
  UPDATE sign_in_delays SET failures = greatest(failures - 1, 0), next_at = '-infinity'
  WHERE key = 'account:' || p_account;
  UPDATE sign_in_delays SET failures = greatest(failures - 1, 0), next_at = '-infinity'
  WHERE key = 'address:' || p_address;
END
$$;
REVOKE EXECUTE ON FUNCTION find_sign_in(text, text, text), find_identities(text), has_one_organisation(),
  count_sign_in(text, text, text), take_back_sign_in(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_sign_in(text, text, text), find_identities(text), has_one_organisation(),
  count_sign_in(text, text, text), take_back_sign_in(text, text, text) TO tidings_web;
