-- Notes that a web process is there, and what it has answered: its own count of each minute so far, not what is added to it. So a
-- call whose outcome nobody knows is simply made again. Minutes older than an hour are refused: they may be summed up already.
-- Owner: objectives.
CREATE OR REPLACE FUNCTION note_answers(p_process uuid, p_tenants uuid[], p_minutes timestamptz[], p_good int[], p_missed int[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE v_seen timestamptz;
BEGIN
  INSERT INTO answer_counts AS c (tenant_id, at, process_id, good, missed)
  SELECT r.tenant_id, r.at, p_process, r.good, r.missed
  FROM unnest(p_tenants, p_minutes, p_good, p_missed) AS r (tenant_id, at, good, missed)
  WHERE r.at > clock_timestamp() - interval '1 hour'
  ON CONFLICT (tenant_id, at, process_id) DO UPDATE SET good = excluded.good, missed = excluded.missed;

  SELECT seen_at INTO v_seen FROM web_presence WHERE id = 1 FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO web_presence (id, since, seen_at) VALUES (1, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING;
    RETURN;
  END IF;
  IF v_seen < clock_timestamp() - interval '1 minute' THEN
    INSERT INTO web_gaps (began_at, ended_at) VALUES (v_seen, clock_timestamp()) ON CONFLICT DO NOTHING;
  END IF;
  UPDATE web_presence SET seen_at = greatest(seen_at, clock_timestamp()) WHERE id = 1;
END
$$;
REVOKE ALL ON FUNCTION note_answers FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION note_answers TO tidings_web;
