-- Counts messages that were claimed and whose recipients get only so many; in the transaction of over_frequency_caps().
--   p_changes  as there
--   p_claimed  the ids of the changes that took effect
-- Owner: recipient-limits.
CREATE OR REPLACE FUNCTION record_capped_sends(p_changes jsonb, p_claimed uuid[]) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO recipient_sends (tenant_id, notification_id, recipient, class, channel, at)
  SELECT c."tenantId", c.id, recipient_send_key(c."tenantId", (c.cap->>'sandbox')::boolean, c.cap->>'recipient'),
    c.cap->>'class', c.cap->>'channel', clock_timestamp()
  FROM jsonb_to_recordset(p_changes) AS c("tenantId" uuid, id uuid, cap jsonb)
  WHERE c.cap IS NOT NULL AND c.id = ANY (p_claimed)
  ON CONFLICT (tenant_id, notification_id) DO UPDATE SET at = excluded.at, recipient = excluded.recipient
$$;
REVOKE ALL ON FUNCTION record_capped_sends FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION record_capped_sends TO tidings_worker;
