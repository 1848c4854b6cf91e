-- When a UUIDv7 was made (RFC 9562 §5.7).
CREATE OR REPLACE FUNCTION uuidv7_time(p_id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || substr(replace(p_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
$$;
