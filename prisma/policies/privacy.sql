SELECT protect_table('retention_marks');
SELECT protect_table('erasures');
GRANT SELECT ON retention_marks TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON retention_marks TO tidings_worker;
-- The request is written once; what becomes of it is the worker's.
GRANT SELECT, INSERT ON erasures TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON erasures TO tidings_worker;
