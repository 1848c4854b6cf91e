SELECT protect_table('mail_standings');
GRANT SELECT, UPDATE ON mail_standings TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON mail_standings TO tidings_worker;
