-- How far a status is: 0 waiting, 1 at a provider, 2 handed over, 3 ended; null for null. A status never goes down in rank.
-- Not STRICT, so that it becomes part of the statement that uses it.
-- Owner: sending.
CREATE OR REPLACE FUNCTION notification_rank(p_status text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_status IN ('pending_approval', 'scheduled', 'queued') THEN 0 WHEN p_status = 'sending' THEN 1 WHEN p_status = 'sent' THEN 2
              WHEN p_status IS NOT NULL THEN 3 END
$$;
