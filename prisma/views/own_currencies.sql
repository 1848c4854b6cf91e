-- In which currency organisations read their costs. Owner: costs.
CREATE OR REPLACE VIEW own_currencies WITH (security_invoker = true) AS SELECT tenant_id, currency FROM cost_currencies;
REVOKE ALL ON own_currencies FROM tidings_web, tidings_worker;
GRANT SELECT ON own_currencies TO tidings_web, tidings_worker;
