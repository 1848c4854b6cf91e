-- The code under which a notification is counted that has reached a status or an action.
--   p_final   at "sent": no receipt will come
-- Owner: insights.
CREATE OR REPLACE FUNCTION metric_code(p_reached text, p_final boolean, p_reason_code text, p_failure jsonb)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_reached = 'sent' AND p_final THEN 'final'
              WHEN p_reached IN ('sent', 'delivered', 'sending') THEN ''
              WHEN p_reached IN ('rejected', 'canceled', 'undetermined') THEN coalesce(p_reason_code, '')
              ELSE coalesce(p_failure->>'code', p_reason_code, '') END
$$;
