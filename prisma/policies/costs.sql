SELECT protect_table('cost_entries');
GRANT SELECT, INSERT, UPDATE ON cost_entries TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON cost_entries TO tidings_worker;
SELECT protect_table('cost_currencies');
SELECT protect_table('exchange_rates');
GRANT SELECT, INSERT, UPDATE, DELETE ON cost_currencies, exchange_rates TO tidings_web, tidings_worker;
SELECT protect_table('price_units');
-- The web process counts what receipts prove.
GRANT SELECT, INSERT, UPDATE ON price_units TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON price_units TO tidings_worker;
