-- The smallest UUIDv7 of an instant (RFC 9562 §5.7: 48 bits of Unix milliseconds lead).
-- Owner: kernel.
CREATE OR REPLACE FUNCTION uuidv7_floor(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
