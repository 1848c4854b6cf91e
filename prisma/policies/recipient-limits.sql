SELECT protect_table('recipient_limits');
SELECT protect_table('recipient_sends');
GRANT SELECT, INSERT, UPDATE ON recipient_limits TO tidings_web, tidings_worker;
-- Written by record_capped_sends() alone.
GRANT SELECT ON recipient_sends TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON recipient_sends TO tidings_worker;
