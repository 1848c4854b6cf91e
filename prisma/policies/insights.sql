SELECT protect_table('metric_deltas');
SELECT protect_table('cost_deltas');
SELECT protect_table('rollup_keys');
SELECT protect_table('rollups');
SELECT protect_table('rollup_reasons');
SELECT protect_table('rollup_costs');
SELECT protect_table('rollup_packs');
-- Sends of the web process count as well; only the worker folds.
GRANT SELECT, INSERT ON metric_deltas, cost_deltas TO tidings_web;
GRANT SELECT ON rollup_keys, rollups, rollup_reasons, rollup_costs, rollup_packs TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON metric_deltas, cost_deltas, rollup_keys, rollups, rollup_reasons, rollup_costs, rollup_packs TO tidings_worker;
GRANT USAGE ON SEQUENCE metric_deltas_id_seq, cost_deltas_id_seq TO tidings_web, tidings_worker;
GRANT USAGE ON SEQUENCE rollup_keys_id_seq TO tidings_worker;
