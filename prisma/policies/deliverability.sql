SELECT protect_table('mail_standings');
GRANT SELECT, UPDATE ON mail_standings TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON mail_standings TO tidings_worker;
SELECT protect_table('sender_domain_checks');
GRANT SELECT, INSERT, UPDATE ON sender_domain_checks TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON sender_domain_checks TO tidings_worker;
