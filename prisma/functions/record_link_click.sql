-- Counts a click and reports it as an event of the message. Beyond p_told clicks a link is only counted: whoever calls one in
-- a loop must not fill a message's history.
-- Owner: links.
CREATE OR REPLACE FUNCTION record_link_click(p_tenant uuid, p_id uuid, p_told int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_clicks int;
  v_notification uuid;
  v_url text;
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true);
  UPDATE short_links l SET clicks = l.clicks + 1, first_clicked_at = coalesce(l.first_clicked_at, v_now), last_clicked_at = v_now
  WHERE l.tenant_id = p_tenant AND l.id = p_id
  RETURNING l.clicks, l.notification_id, l.url INTO v_clicks, v_notification, v_url;
  IF v_clicks <= p_told THEN
    PERFORM advance_notifications(p_tenant, jsonb_build_array(jsonb_build_object(
      'tenantId', p_tenant, 'id', v_notification, 'at', v_now, 'to', 'clicked', 'data', jsonb_build_object('url', v_url))));
  END IF;
  RETURN v_clicks;
END
$$;
REVOKE ALL ON FUNCTION record_link_click FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION record_link_click TO tidings_web, tidings_worker;
