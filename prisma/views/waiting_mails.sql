-- E-mails that wait because marketing to their mailboxes is held. Owner: sending.
CREATE OR REPLACE VIEW waiting_mails WITH (security_invoker = true) AS
  SELECT tenant_id, id, channel, recipient, due_at FROM notifications
  WHERE channel = 'email' AND reason_code = 'mail_hold' AND status IN ('scheduled', 'queued', 'sending')
    AND open_attempt IS NULL AND due_at IS NOT NULL;
REVOKE ALL ON waiting_mails FROM tidings_web, tidings_worker;
GRANT SELECT ON waiting_mails TO tidings_web, tidings_worker;
