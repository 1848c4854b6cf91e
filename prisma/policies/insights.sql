SELECT protect_table('metric_deltas');
SELECT protect_table('metric_rollups');
SELECT protect_table('metric_summaries');
GRANT SELECT, INSERT, UPDATE, DELETE ON metric_deltas, metric_rollups, metric_summaries TO tidings_web, tidings_worker;
GRANT USAGE ON SEQUENCE metric_deltas_id_seq TO tidings_web, tidings_worker;
