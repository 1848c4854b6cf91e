-- A new UUIDv7 (RFC 9562 §5.7), for rows that only the database knows of. Postgres 18 has uuidv7(); 15 to 17 do not.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION uuidv7_new() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;
