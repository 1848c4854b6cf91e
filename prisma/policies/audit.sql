SELECT protect_table('audit_events');
-- Written once.
GRANT SELECT, INSERT ON audit_events TO tidings_web;
GRANT SELECT, INSERT, DELETE ON audit_events TO tidings_worker;
