-- What is not sent yet, of all organisations: what a hold of sending keeps. Figures and times alone. Reads what is open alone, so
-- that it costs the same whatever has been sent before. Sandboxes are left out: their messages leave the installation never.
--   expired    so many of them end as expired, because their time is up
--   later      so many are scheduled for later than now
--   oldest_at  when the oldest was accepted
-- Owner: sending.
CREATE OR REPLACE FUNCTION held_messages() RETURNS TABLE (slug text, channel text, class text, waiting bigint, expired bigint,
  later bigint, oldest_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.slug, n.channel, n.class, count(*), count(*) FILTER (WHERE n.expires_at <= now()),
    count(*) FILTER (WHERE n.expires_at > now() AND n.scheduled_at > now()), min(n.created_at)
  FROM notifications n JOIN tenant_states t ON t.id = n.tenant_id
  WHERE n.status IN ('pending_approval', 'scheduled', 'queued', 'sending') AND NOT n.sandbox
  GROUP BY t.slug, n.channel, n.class ORDER BY t.slug, n.channel, n.class LIMIT 10000
$$;
REVOKE ALL ON FUNCTION held_messages FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION held_messages TO tidings_console;
