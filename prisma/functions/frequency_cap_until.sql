-- When a recipient may get the message, if a cap keeps it from them now; null: it may be sent.
--   p_cap    { sandbox, recipient, class, limits: [{ channel?, most, hours }] }
--   p_id     the message, which does not stand in its own way
--   p_ahead  how many others go first
-- Owner: recipient-limits.
CREATE OR REPLACE FUNCTION frequency_cap_until(p_tenant uuid, p_cap jsonb, p_id uuid, p_ahead int) RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$
  SELECT max(CASE WHEN l.most <= p_ahead THEN clock_timestamp() ELSE
    -- With so many since then the cap is reached: it frees up when the first of them is old enough.
    (SELECT s.at + make_interval(hours => l.hours) FROM recipient_sends s
     WHERE s.tenant_id = p_tenant AND s.recipient = recipient_send_key(p_tenant, (p_cap->>'sandbox')::boolean, p_cap->>'recipient')
       AND s.class = p_cap->>'class' AND s.at > clock_timestamp() - make_interval(hours => l.hours)
       AND (l.channel IS NULL OR s.channel = l.channel) AND s.notification_id <> p_id
     ORDER BY s.at DESC OFFSET l.most - p_ahead - 1 LIMIT 1) END)
  FROM jsonb_to_recordset(p_cap->'limits') AS l(channel text, most int, hours int)
$$;
REVOKE ALL ON FUNCTION frequency_cap_until FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION frequency_cap_until TO tidings_worker;
