SELECT protect_table('cost_entries');
GRANT SELECT, INSERT, UPDATE ON cost_entries TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON cost_entries TO tidings_worker;
