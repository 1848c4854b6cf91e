-- What one unit of a currency was worth on a day (UTC) in the organisation's own currency; NULL when it has none or no rate.
-- Owner: costs.
CREATE OR REPLACE FUNCTION own_rate(p_tenant uuid, p_currency text, p_day date) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN c.currency = p_currency THEN 1 ELSE (
    SELECT r.rate FROM exchange_rates r
    WHERE r.tenant_id = p_tenant AND r.own_currency = c.currency AND r.currency = p_currency AND r.valid_from <= p_day
    ORDER BY r.valid_from DESC LIMIT 1) END
  FROM cost_currencies c WHERE c.tenant_id = p_tenant
$$;
REVOKE ALL ON FUNCTION own_rate FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION own_rate TO tidings_web, tidings_worker;
