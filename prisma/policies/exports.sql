SELECT protect_table('exports');
SELECT protect_table('export_chunks');
GRANT SELECT, INSERT, UPDATE, DELETE ON exports TO tidings_web, tidings_worker;
-- A file is the worker's to write; whoever asked for it takes it away again.
GRANT SELECT, DELETE ON export_chunks TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON export_chunks TO tidings_worker;
