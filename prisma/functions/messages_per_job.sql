-- How many messages of one tenant one job may carry. One-time codes have a job each.
-- Owner: sending.
CREATE OR REPLACE FUNCTION messages_per_job(p_task text) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE p_task WHEN 'deliver_otp' THEN 1 ELSE 10 END
$$;
