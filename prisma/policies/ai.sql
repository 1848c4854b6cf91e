SELECT protect_table('ai_usage');
-- Written once.
GRANT SELECT, INSERT ON ai_usage TO tidings_web;
GRANT SELECT, INSERT, DELETE ON ai_usage TO tidings_worker;
