SELECT protect_table('template_imports');
SELECT protect_table('template_import_items');
GRANT SELECT, INSERT, UPDATE, DELETE ON template_imports, template_import_items TO tidings_web, tidings_worker;
