-- Whether the sign-in page has to ask for the organisation.
-- Owner: access.
CREATE OR REPLACE FUNCTION has_one_organisation() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*) < 2 FROM (SELECT FROM tenant_facts LIMIT 2) AS t
$$;
REVOKE ALL ON FUNCTION has_one_organisation FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION has_one_organisation TO tidings_web;
