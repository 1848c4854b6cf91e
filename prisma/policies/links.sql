SELECT protect_table('shorteners');
SELECT protect_table('short_links');
GRANT SELECT, INSERT, UPDATE, DELETE ON shorteners, short_links TO tidings_web, tidings_worker;
