-- Whether a notification of status p_from may get status p_to: the table of server/sending/notification-state.ts. A null
-- status may become nothing. Not STRICT, so that it becomes part of the statement that uses it.
-- Owner: sending.
CREATE OR REPLACE FUNCTION notification_may_become(p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    -- A person approves it, or not.
    WHEN p_from = 'pending_approval' THEN p_to IN ('scheduled', 'queued', 'rejected', 'expired', 'canceled')
    WHEN p_to IN ('pending_approval', 'scheduled', 'queued') THEN false
    WHEN p_from = 'undetermined' THEN p_to IN ('delivered', 'failed')
    WHEN p_to IN ('canceled', 'expired', 'rejected') THEN p_from IN ('scheduled', 'queued', 'sending')
    ELSE notification_rank(p_to) > notification_rank(p_from)
  END
$$;
