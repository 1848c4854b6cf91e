-- Whether an event says what a recipient or a mailbox did with the message, and is no status; false for null.
-- Owner: sending.
CREATE OR REPLACE FUNCTION is_recipient_action(p_type text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(p_type IN ('read', 'clicked', 'bounced', 'complained'), false)
$$;
