-- Deletes the counts of months that are over, and who was told of them.
-- Owner: quotas.
CREATE OR REPLACE FUNCTION purge_quota_days() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM quota_days WHERE day < current_date - 70;
  DELETE FROM quota_warnings WHERE starts_on < current_date - 70
$$;
REVOKE ALL ON FUNCTION purge_quota_days FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION purge_quota_days TO tidings_web, tidings_worker;
