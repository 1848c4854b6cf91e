-- What other domains may read of send requests; not what their texts are made from. Owner: sending.
CREATE OR REPLACE VIEW request_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, transaction_id, metadata, trace_context FROM send_requests;
REVOKE ALL ON request_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON request_facts TO tidings_web, tidings_worker;
