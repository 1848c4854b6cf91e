-- Gives the organisation that the transaction has named another name for people; its short name stays.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION rename_tenant(p_name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF length(btrim(p_name)) NOT BETWEEN 1 AND 120 OR p_name ~ '[[:cntrl:]]' THEN
    RAISE EXCEPTION 'a name has 1 to 120 characters in one line' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE tenants SET name = p_name WHERE id = current_tenant();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no tenant is named' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION rename_tenant FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION rename_tenant TO tidings_web, tidings_worker;
