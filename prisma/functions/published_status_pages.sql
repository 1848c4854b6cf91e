-- Every status page that anybody may see, before a tenant is known: at most 10,000, those of the oldest organisations. Of suspended
-- organisations none. Owner: objectives.
CREATE OR REPLACE FUNCTION published_status_pages() RETURNS TABLE (slug text, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.slug, p.tenant_id FROM status_pages p WHERE p.published AND is_running_tenant(p.tenant_id) ORDER BY p.tenant_id LIMIT 10000
$$;
REVOKE ALL ON FUNCTION published_status_pages FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION published_status_pages TO tidings_web;
