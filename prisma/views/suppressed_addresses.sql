-- Addresses that are not sent to. Owner: consent.
CREATE OR REPLACE VIEW suppressed_addresses WITH (security_invoker = true) AS
  SELECT tenant_id, sandbox, channel, address FROM suppressions;
REVOKE ALL ON suppressed_addresses FROM tidings_web, tidings_worker;
GRANT SELECT ON suppressed_addresses TO tidings_web, tidings_worker;
