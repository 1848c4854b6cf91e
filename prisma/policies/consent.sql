SELECT protect_table('suppressions');
SELECT protect_table('consent_entries');
SELECT protect_table('consent_keys');
GRANT SELECT, INSERT, UPDATE, DELETE ON suppressions TO tidings_web, tidings_worker;
-- Written once.
GRANT SELECT, INSERT ON consent_entries TO tidings_web;
-- ... but for what the erasure of a recipient takes away.
GRANT SELECT, INSERT, DELETE, UPDATE (address, evidence, item_id) ON consent_entries TO tidings_worker;
GRANT SELECT, INSERT ON consent_keys TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON consent_keys TO tidings_worker;
SELECT protect_table('address_links');
GRANT SELECT, INSERT, DELETE ON address_links TO tidings_web, tidings_worker;
GRANT UPDATE (address, linked_address) ON address_links TO tidings_worker;
SELECT protect_table('word_replies');
GRANT SELECT, INSERT ON word_replies TO tidings_web;
GRANT SELECT, INSERT, DELETE, UPDATE (address) ON word_replies TO tidings_worker;
SELECT protect_table('consent_reviews');
GRANT SELECT, INSERT, UPDATE (state, decided_at) ON consent_reviews TO tidings_web;
GRANT SELECT, INSERT, DELETE, UPDATE (state, decided_at, address) ON consent_reviews TO tidings_worker;
-- Of the ledger, the web takes away only what holds an address back while somebody looks at what it wrote.
GRANT DELETE ON consent_entries TO tidings_web;
DROP POLICY IF EXISTS only_holds ON consent_entries;
CREATE POLICY only_holds ON consent_entries AS RESTRICTIVE FOR DELETE TO tidings_web USING (source = 'review');
SELECT protect_table('consent_confirmations');
GRANT SELECT, INSERT, UPDATE (expires_at, confirmed_at) ON consent_confirmations TO tidings_web;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at, confirmed_at, address, item_id, evidence) ON consent_confirmations TO tidings_worker;
