SELECT protect_table('imports');
SELECT protect_table('import_chunks');
SELECT protect_table('import_errors');
SELECT protect_table('import_marks');
GRANT SELECT, INSERT, UPDATE ON imports TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON imports TO tidings_worker;
GRANT SELECT, INSERT, DELETE ON import_chunks, import_errors TO tidings_web, tidings_worker;
-- A dry run is the worker's; a canceled one leaves nothing behind.
GRANT SELECT, INSERT, DELETE ON import_marks TO tidings_worker;
GRANT SELECT, DELETE ON import_marks TO tidings_web;
