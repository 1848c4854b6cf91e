SELECT protect_table('shorteners');
SELECT protect_table('short_links');
GRANT SELECT, INSERT, UPDATE, DELETE ON shorteners, short_links TO tidings_web, tidings_worker;
SELECT protect_table('link_clicks');
GRANT SELECT, INSERT, UPDATE ON link_clicks TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON link_clicks TO tidings_worker;
