SELECT protect_table('send_requests');
SELECT protect_table('idempotency_keys');
SELECT protect_table('notifications');
SELECT protect_table('notification_events');
SELECT protect_table('attempts');
SELECT protect_table('template_tests');
SELECT protect_table('waiting_messages');
SELECT protect_table('send_approvals');
SELECT protect_table('broadcasts');
SELECT protect_table('broadcast_recipients');
SELECT protect_table('address_words');
SELECT protect_table('address_word_marks');
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys, template_tests TO tidings_web, tidings_worker;
GRANT SELECT, INSERT, UPDATE ON send_requests, notifications, attempts, send_approvals TO tidings_web;
GRANT SELECT, DELETE ON waiting_messages TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON send_requests, notifications, attempts, waiting_messages, send_approvals TO tidings_worker;
-- The history is written once.
GRANT SELECT, INSERT ON notification_events TO tidings_web;
-- ... but for what it says of a recipient, which the purge takes away.
GRANT SELECT, INSERT, DELETE, UPDATE (data) ON notification_events TO tidings_worker;
-- A person starts, pauses and ends them; the worker does the rest.
GRANT SELECT, INSERT, UPDATE ON broadcasts TO tidings_web;
GRANT SELECT ON broadcast_recipients TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON broadcasts, broadcast_recipients TO tidings_worker;
-- Filled by the worker alone; the portal looks addresses up in them.
GRANT SELECT ON address_words, address_word_marks TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON address_words, address_word_marks TO tidings_worker;
