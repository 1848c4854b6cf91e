-- Removes the jobs of an organisation that nobody is at. For delete_organisation().
-- Owner: kernel.
CREATE OR REPLACE FUNCTION delete_jobs_of(p_tenant uuid) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  v_count int;
BEGIN
  DELETE FROM graphile_worker._private_jobs WHERE payload->>'tenantId' = p_tenant::text AND locked_at IS NULL;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END
$$;
REVOKE ALL ON FUNCTION delete_jobs_of FROM PUBLIC, tidings_web, tidings_worker;
