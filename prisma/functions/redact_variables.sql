-- Every value replaced; the names stay, so that one sees what a message was made from.
-- Owner: sending.
CREATE OR REPLACE FUNCTION redact_variables(p_variables jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, '[redacted]'), '{}') FROM jsonb_object_keys(p_variables) AS key
$$;
