SELECT protect_table('notices');
GRANT SELECT, INSERT, UPDATE, DELETE ON notices TO tidings_web, tidings_worker;
