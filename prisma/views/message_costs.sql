-- What each attempt at a message cost at the provider. Owner: costs.
CREATE OR REPLACE VIEW message_costs WITH (security_invoker = true) AS
  SELECT tenant_id, notification_id, attempt, amount, currency, source, counted_as FROM cost_entries WHERE kind = 'message';
REVOKE ALL ON message_costs FROM tidings_web, tidings_worker;
GRANT SELECT ON message_costs TO tidings_web, tidings_worker;
