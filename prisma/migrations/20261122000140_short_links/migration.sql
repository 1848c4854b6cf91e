-- Short links at work: which of them belong to the sandbox, what a shortener last failed with, and the two functions of
-- whoever follows a link.

ALTER TABLE "short_links" ADD COLUMN "sandbox" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "shorteners" ADD COLUMN "problem" TEXT, ADD COLUMN "problem_at" TIMESTAMPTZ(3);

-- Where a code leads, before a tenant is known; nothing for a code that is unknown or has expired.
CREATE FUNCTION find_short_link(p_code text) RETURNS TABLE (tenant_id uuid, id uuid, url text, sandbox boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.tenant_id, l.id, l.url, l.sandbox FROM short_links l WHERE l.code = p_code AND l.expires_at > now()
$$;

-- Counts a click, and tells of it as an event of the message. Beyond p_told clicks a link is only counted: whoever calls
-- one in a loop must not fill a message's history.
CREATE FUNCTION record_link_click(p_tenant uuid, p_id uuid, p_told int) RETURNS int LANGUAGE plpgsql AS $$
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

REVOKE EXECUTE ON FUNCTION find_short_link(text), record_link_click(uuid, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_short_link(text), record_link_click(uuid, uuid, int) TO tidings_web, tidings_worker;
