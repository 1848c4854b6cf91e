-- Redacts the variables of one-time codes when the last message of their request has ended: of these requests, those
-- that have no open message. Two messages that end at the same time meet at the lock, and the later one sees the
-- other's end.
--   p_tenants, p_requests   pairs
-- Owner: sending.
CREATE OR REPLACE FUNCTION redact_ended_requests(p_tenants uuid[], p_requests uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM send_requests r JOIN unnest(p_tenants, p_requests) AS ended(tenant_id, id)
    ON r.tenant_id = ended.tenant_id AND r.id = ended.id
  ORDER BY r.tenant_id, r.id FOR UPDATE OF r;
  UPDATE send_requests r SET variables = redact_variables(r.variables)
  FROM unnest(p_tenants, p_requests) AS ended(tenant_id, id)
  WHERE r.tenant_id = ended.tenant_id AND r.id = ended.id
    AND NOT EXISTS (SELECT FROM notifications n WHERE n.tenant_id = r.tenant_id AND n.request_id = r.id
                    AND NOT n.final AND NOT is_terminal_status(n.status));
END
$$;
REVOKE ALL ON FUNCTION redact_ended_requests FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION redact_ended_requests TO tidings_web, tidings_worker;
