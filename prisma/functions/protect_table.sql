-- Row-level security for one table, and no rights for the two roles but those granted after it: what prisma/policies begins
-- with, any number of times. The security is forced, so that it binds the owner too, who gets a policy of its own for
-- migrations and for the few SECURITY DEFINER look-ups.
--   tidings_web     sees one tenant at a time, the one named by app.tenant; unset, it sees nothing
--   tidings_worker  carries out the work of all tenants
-- Owner: kernel.
CREATE OR REPLACE FUNCTION protect_table(p_table regclass, p_tenant_column text DEFAULT 'tenant_id') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', p_table);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', p_table);
  EXECUTE format('DROP POLICY IF EXISTS tenant_isolation ON %s', p_table);
  EXECUTE format('DROP POLICY IF EXISTS worker_access ON %s', p_table);
  EXECUTE format('DROP POLICY IF EXISTS owner_access ON %s', p_table);
  EXECUTE format('CREATE POLICY tenant_isolation ON %s TO tidings_web USING (%I = (SELECT current_tenant())) WITH CHECK (%I = (SELECT current_tenant()))',
                 p_table, p_tenant_column, p_tenant_column);
  EXECUTE format('CREATE POLICY worker_access ON %s TO tidings_worker USING (true) WITH CHECK (true)', p_table);
  EXECUTE format('CREATE POLICY owner_access ON %s TO CURRENT_USER USING (true) WITH CHECK (true)', p_table);
  EXECUTE format('REVOKE ALL ON %s FROM tidings_web, tidings_worker', p_table);
END
$$;
REVOKE ALL ON FUNCTION protect_table FROM PUBLIC, tidings_web, tidings_worker;
