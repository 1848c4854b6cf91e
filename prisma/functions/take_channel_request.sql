-- Takes what an operator asked for, once: nothing when it was taken, or is older than a minute, since whoever asked has been told
-- by then that it did not happen.
-- Owner: console.
CREATE OR REPLACE FUNCTION take_channel_request(p_id uuid) RETURNS TABLE (action text, input jsonb, request_id text)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE channel_requests r SET taken_at = now()
  WHERE r.id = p_id AND r.taken_at IS NULL AND r.created_at > now() - interval '1 minute'
  RETURNING r.action, r.input, r.request_id
$$;
REVOKE ALL ON FUNCTION take_channel_request FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION take_channel_request TO tidings_worker;
