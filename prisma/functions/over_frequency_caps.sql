-- Which of the messages that are to be claimed their recipients must not get now. Until the transaction ends, nobody else claims a
-- capped message for the same recipients, so that what is counted here still holds when record_capped_sends() counts them.
--   p_changes  as advance_notifications() takes them; `cap` as frequency_cap_until() does
-- Messages of one call are counted one after the other, also those that turn out not to be claimed: what is only over because of them
-- has room at the next look.
-- Owner: recipient-limits.
CREATE OR REPLACE FUNCTION over_frequency_caps(p_changes jsonb) RETURNS uuid[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_key bigint;
BEGIN
  -- In one order, so that two calls cannot deadlock; notifications are locked after this.
  FOR v_key IN
    SELECT DISTINCT recipient_send_key(c."tenantId", (c.cap->>'sandbox')::boolean, c.cap->>'recipient')
    FROM jsonb_to_recordset(p_changes) AS c("tenantId" uuid, cap jsonb) WHERE c.cap IS NOT NULL ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(v_key);
  END LOOP;
  RETURN (
    SELECT array_agg(x.id) FROM (
      SELECT c."tenantId", c.id, c.cap, (row_number() OVER (
        PARTITION BY c."tenantId", c.cap->'sandbox', c.cap->'recipient', c.cap->'class' ORDER BY c.id) - 1)::int AS ahead
      FROM jsonb_to_recordset(p_changes) AS c("tenantId" uuid, id uuid, cap jsonb) WHERE c.cap IS NOT NULL
    ) x WHERE frequency_cap_until(x."tenantId", x.cap, x.id, x.ahead) IS NOT NULL);
END
$$;
REVOKE ALL ON FUNCTION over_frequency_caps FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION over_frequency_caps TO tidings_worker;
