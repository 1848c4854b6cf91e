-- Where a code leads, before a tenant is known; nothing for a code that is unknown or has expired.
-- Owner: links.
CREATE OR REPLACE FUNCTION find_short_link(p_code text) RETURNS TABLE (tenant_id uuid, id uuid, url text, sandbox boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.tenant_id, l.id, l.url, l.sandbox FROM short_links l WHERE l.code = p_code AND l.expires_at > now()
$$;
REVOKE ALL ON FUNCTION find_short_link FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_short_link TO tidings_web, tidings_worker;
