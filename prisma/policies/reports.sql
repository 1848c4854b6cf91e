SELECT protect_table('saved_views');
SELECT protect_table('report_schedules');
SELECT protect_table('report_sends');
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views, report_schedules TO tidings_web;
-- Erasing takes addresses out of what was filtered by.
GRANT SELECT, UPDATE, DELETE ON saved_views TO tidings_worker;
GRANT SELECT, UPDATE, DELETE ON report_schedules TO tidings_worker;
GRANT SELECT, DELETE ON report_sends TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON report_sends TO tidings_worker;
