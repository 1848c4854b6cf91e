SELECT protect_table('objective_settings');
SELECT protect_table('answer_counts');
SELECT protect_table('code_marks');
SELECT protect_table('objective_alerts');
SELECT protect_table('status_pages');
SELECT protect_table('status_incidents');
SELECT protect_table('status_updates');
-- Answers are written by note_answers(); another limit for codes makes what was marked of them meaningless.
GRANT SELECT ON answer_counts, objective_alerts TO tidings_web;
GRANT SELECT, INSERT, DELETE ON code_marks TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON objective_settings TO tidings_web;
GRANT SELECT, INSERT, DELETE ON status_pages TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON status_incidents, status_updates TO tidings_web;
GRANT SELECT ON objective_settings, status_pages TO tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON answer_counts, code_marks, objective_alerts, status_incidents, status_updates TO tidings_worker;

-- Of no tenant: when there was a web process. Written by note_answers().
REVOKE ALL ON web_presence, web_gaps FROM tidings_web, tidings_worker;
GRANT SELECT ON web_presence, web_gaps TO tidings_web;
GRANT SELECT, DELETE ON web_gaps TO tidings_worker;
GRANT SELECT ON web_presence TO tidings_worker;
