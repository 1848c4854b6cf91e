SELECT protect_table('audit_events');
SELECT protect_table('audit_links');
SELECT protect_table('audit_chains');
-- Written once. What is older than a tenant keeps is deleted by purge_audit() alone.
GRANT SELECT, INSERT ON audit_events TO tidings_web, tidings_worker;
GRANT SELECT ON audit_links, audit_chains TO tidings_web;
GRANT SELECT, INSERT ON audit_links TO tidings_worker;
GRANT SELECT, INSERT, UPDATE (key, checked_sequence, checked_event_id, full_check_at, verified_sequence, verified_at, failure)
  ON audit_chains TO tidings_worker;

-- Of no tenant.
REVOKE ALL ON audit_progress, audit_signers, audit_checkpoints FROM tidings_web, tidings_worker;
GRANT SELECT (public_key) ON audit_signers TO tidings_web;
-- A line names all tenants.
GRANT SELECT (number, at, filed_at) ON audit_checkpoints TO tidings_web;
GRANT SELECT, UPDATE ON audit_progress TO tidings_worker;
GRANT SELECT, INSERT ON audit_signers TO tidings_worker;
GRANT SELECT, INSERT, UPDATE (filed_at) ON audit_checkpoints TO tidings_worker;

-- The console adds to an organisation's trail what was done to it there, as the operator, and reads nothing of it.
DROP POLICY IF EXISTS console_writes ON audit_events;
CREATE POLICY console_writes ON audit_events FOR INSERT TO tidings_console
  WITH CHECK (tenant_id = (SELECT current_tenant()) AND actor_type = 'system' AND actor_name = 'Operator');
REVOKE ALL ON audit_events FROM tidings_console;
GRANT INSERT ON audit_events TO tidings_console;
