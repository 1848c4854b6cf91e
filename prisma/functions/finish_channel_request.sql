-- Says what became of what an operator asked for, in the operators' log, too; forgets those of a day ago.
--   p_refusal: { code, detail, errors }; null: it was carried out
-- Owner: console.
CREATE OR REPLACE FUNCTION finish_channel_request(p_id uuid, p_refusal jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH done AS (
    UPDATE channel_requests SET done_at = now(), refusal = p_refusal
    WHERE id = p_id AND taken_at IS NOT NULL AND done_at IS NULL RETURNING *
  ), old AS (
    DELETE FROM channel_requests WHERE created_at < now() - interval '1 day'
  )
  INSERT INTO operator_events (id, at, operator_id, operator_name, session_id, action, organisation, organisation_slug, request_id,
                               ip, data)
  SELECT uuidv7_new(), now(), operator_id, operator_name, session_id,
    CASE WHEN p_refusal IS NULL THEN action ELSE 'channel.change_refused' END, organisation, organisation_slug, request_id, ip,
    jsonb_strip_nulls(jsonb_build_object('channel', input->>'channel', 'connection', input->>'connection',
      'reason', left(p_refusal->>'detail', 500)))
  FROM done
$$;
REVOKE ALL ON FUNCTION finish_channel_request FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION finish_channel_request TO tidings_worker;
