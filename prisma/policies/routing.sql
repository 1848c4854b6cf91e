SELECT protect_table('routing_rules');
SELECT protect_table('routing_revisions');
GRANT SELECT, INSERT, UPDATE, DELETE ON routing_rules TO tidings_web, tidings_worker;
-- Written once.
GRANT SELECT, INSERT ON routing_revisions TO tidings_web;
GRANT SELECT, INSERT, DELETE ON routing_revisions TO tidings_worker;
