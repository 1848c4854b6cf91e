-- Counts a click and reports a person's as an event of the message. Beyond p_told clicks a link is only counted: whoever calls one in
-- a loop must not fill a message's history.
--   p_machine   what the request itself says: a program's, and how that is known; null: it looks like a person's
-- What only the message tells is seen here: of an e-mail nobody has opened a link within five seconds of its arrival (too_soon), and
-- nobody opens two links within one (burst). The first click of a burst has been reported by then; its count is put right.
-- Owner: links.
DROP FUNCTION IF EXISTS record_link_click(uuid, uuid, int); -- it did not know programs
CREATE OR REPLACE FUNCTION record_link_click(p_tenant uuid, p_id uuid, p_told int, p_machine text DEFAULT NULL) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_machine text := p_machine;
  v_moved int := 0;
  v_clicks int;
  v_link record;
  v_message record;
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true);
  SELECT l.notification_id, l.url INTO v_link FROM short_links l WHERE l.tenant_id = p_tenant AND l.id = p_id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- Of two links of one message that are opened at once, the second sees the first.
  PERFORM pg_advisory_xact_lock(hashtextextended('clicks ' || v_link.notification_id, 0));
  SELECT m.* INTO v_message FROM clicked_messages m WHERE m.tenant_id = p_tenant AND m.id = v_link.notification_id;
  IF v_machine IS NULL AND v_message.channel = 'email' THEN
    IF v_now < v_message.arrived_at + interval '5 seconds' THEN
      v_machine := 'too_soon';
    ELSE
      UPDATE short_links o SET clicks = o.clicks - 1, machine_clicks = o.machine_clicks + 1, machine_reason = 'burst',
        last_machine_at = o.last_clicked_at,
        first_clicked_at = CASE WHEN o.clicks > 1 THEN o.first_clicked_at END,
        last_clicked_at = CASE WHEN o.clicks > 1 THEN o.first_clicked_at END
      WHERE o.tenant_id = p_tenant AND o.notification_id = v_link.notification_id AND o.id <> p_id AND o.clicks > 0
        AND o.last_clicked_at > v_now - interval '1 second';
      GET DIAGNOSTICS v_moved = ROW_COUNT;
      IF v_moved > 0 OR EXISTS (SELECT FROM short_links o WHERE o.tenant_id = p_tenant AND o.notification_id = v_link.notification_id
          AND o.id <> p_id AND o.last_machine_at > v_now - interval '1 second') THEN
        v_machine := 'burst';
      END IF;
    END IF;
  END IF;
  UPDATE short_links l SET
    clicks = l.clicks + (v_machine IS NULL)::int,
    first_clicked_at = CASE WHEN v_machine IS NULL THEN coalesce(l.first_clicked_at, v_now) ELSE l.first_clicked_at END,
    last_clicked_at = CASE WHEN v_machine IS NULL THEN v_now ELSE l.last_clicked_at END,
    machine_clicks = l.machine_clicks + (v_machine IS NOT NULL)::int,
    machine_reason = coalesce(v_machine, l.machine_reason),
    last_machine_at = CASE WHEN v_machine IS NULL THEN l.last_machine_at ELSE v_now END
  WHERE l.tenant_id = p_tenant AND l.id = p_id
  RETURNING l.clicks INTO v_clicks;
  IF NOT coalesce(v_message.sandbox, true) THEN
    INSERT INTO link_clicks AS c (tenant_id, day, request_id, shard, people, machines)
    VALUES (p_tenant, date_trunc('day', v_now, 'UTC'), coalesce(v_message.broadcast, '00000000-0000-0000-0000-000000000000'),
      mod(abs(hashtext(p_id::text)::bigint), 8), (v_machine IS NULL)::int - v_moved, (v_machine IS NOT NULL)::int + v_moved)
    ON CONFLICT (tenant_id, day, request_id, shard) DO UPDATE SET people = c.people + excluded.people,
      machines = c.machines + excluded.machines;
  END IF;
  IF v_machine IS NULL AND v_clicks <= p_told THEN
    PERFORM advance_notifications(p_tenant, jsonb_build_array(jsonb_build_object(
      'tenantId', p_tenant, 'id', v_link.notification_id, 'at', v_now, 'to', 'clicked', 'data', jsonb_build_object('url', v_link.url))));
  END IF;
  RETURN v_clicks;
END
$$;
REVOKE ALL ON FUNCTION record_link_click FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION record_link_click TO tidings_web, tidings_worker;
