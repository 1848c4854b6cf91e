-- Whether a status is an end, after which nothing is sent any more (rank 3); false for null and for what is no status.
-- Owner: sending.
CREATE OR REPLACE FUNCTION is_terminal_status(p_status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(p_status IN ('delivered', 'failed', 'rejected', 'expired', 'canceled', 'undetermined'), false)
$$;
