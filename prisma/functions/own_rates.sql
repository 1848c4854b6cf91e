-- What one unit of each currency was worth in the organisation's own currency on the days (UTC) from p_from to p_to; no row where
-- it has no own currency or no rate. Owner: costs.
CREATE OR REPLACE FUNCTION own_rates(p_tenant uuid, p_from date, p_to date) RETURNS TABLE (currency text, day date, rate numeric)
LANGUAGE sql STABLE ROWS 100 AS $$
  SELECT c.currency, d::date, 1::numeric
  FROM cost_currencies c CROSS JOIN generate_series(p_from, p_to, interval '1 day') AS d WHERE c.tenant_id = p_tenant
  UNION ALL
  -- Each rate holds until the next one.
  SELECT r.currency, d::date, r.rate
  FROM (
    SELECT x.currency, x.rate, x.valid_from,
      lead(x.valid_from) OVER (PARTITION BY x.currency ORDER BY x.valid_from) - 1 AS valid_to
    FROM exchange_rates x JOIN cost_currencies c ON c.tenant_id = x.tenant_id AND c.currency = x.own_currency
    WHERE x.tenant_id = p_tenant
  ) AS r
  CROSS JOIN LATERAL generate_series(greatest(r.valid_from, p_from), least(coalesce(r.valid_to, p_to), p_to), interval '1 day') AS d
$$;
REVOKE ALL ON FUNCTION own_rates FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION own_rates TO tidings_web, tidings_worker;
