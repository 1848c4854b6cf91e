-- What all messages of a request are made from. Owner: sending.
CREATE OR REPLACE VIEW request_texts WITH (security_invoker = true) AS
  SELECT tenant_id, id, variables FROM send_requests;
REVOKE ALL ON request_texts FROM tidings_web, tidings_worker;
GRANT SELECT ON request_texts TO tidings_web, tidings_worker;
