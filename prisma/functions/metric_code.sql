DROP FUNCTION IF EXISTS metric_code(text, boolean, text, jsonb); -- it also told sent ones without receipts apart
-- The code under which a notification is counted that has come to an end; empty for all else. Owner: insights.
CREATE OR REPLACE FUNCTION metric_code(p_status text, p_reason_code text, p_failure jsonb)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_status IN ('rejected', 'canceled', 'undetermined') THEN coalesce(p_reason_code, '')
              WHEN p_status IN ('failed', 'expired') THEN coalesce(p_failure->>'code', p_reason_code, '')
              ELSE '' END
$$;
