-- How many messages a job carries.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION job_size(p_payload jsonb) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_array_length(p_payload->'notificationIds'), 1)
$$;
