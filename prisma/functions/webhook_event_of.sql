-- The webhook event that reports a status or an action of the recipient; null: none is sent.
-- Not STRICT, so that it becomes part of the statement that uses it.
-- Owner: webhooks.
CREATE OR REPLACE FUNCTION webhook_event_of(p_type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_type = 'scheduled' THEN NULL
              WHEN p_type = 'clicked' THEN 'link.clicked'
              ELSE 'notification.' || p_type END
$$;
