-- What one unit of a currency was worth on a day (UTC) in the organisation's own currency; NULL when it has none or no rate.
-- Owner: costs.
CREATE OR REPLACE FUNCTION own_rate(p_tenant uuid, p_currency text, p_day date) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT r.rate FROM own_rates(p_tenant, p_day, p_day) AS r WHERE r.currency = p_currency
$$;
REVOKE ALL ON FUNCTION own_rate FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION own_rate TO tidings_web, tidings_worker;
