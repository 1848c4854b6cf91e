-- Addresses that are not sent to now. Owner: consent.
CREATE OR REPLACE VIEW suppressed_addresses WITH (security_invoker = true) AS
  SELECT tenant_id, sandbox, channel, address FROM suppressions WHERE expires_at IS NULL OR expires_at > now();
REVOKE ALL ON suppressed_addresses FROM tidings_web, tidings_worker;
GRANT SELECT ON suppressed_addresses TO tidings_web, tidings_worker;
