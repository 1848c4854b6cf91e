SELECT protect_table('suppressions');
SELECT protect_table('consent_entries');
GRANT SELECT, INSERT, UPDATE, DELETE ON suppressions TO tidings_web, tidings_worker;
-- Written once.
GRANT SELECT, INSERT ON consent_entries TO tidings_web;
GRANT SELECT, INSERT, DELETE ON consent_entries TO tidings_worker;
