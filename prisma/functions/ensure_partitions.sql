-- Makes the monthly partitions from last month to p_months_ahead; what is there already stays. Called when migrating and
-- every day by the worker, so it runs as its owner. A month is made by itself and then attached: to make it as a partition would wait
-- for everybody who reads the table, such as a backup, and have everybody wait behind it who writes.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION ensure_partitions(p_months_ahead int) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '5s' AS $$
DECLARE
  v_table text;
  v_month timestamp;
  v_name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tidings.ensure_partitions'));
  FOREACH v_table IN ARRAY ARRAY['notifications', 'notification_events', 'attempts', 'webhook_deliveries', 'webhook_attempts'] LOOP
    FOR i IN -1 .. p_months_ahead LOOP
      v_month := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => i);
      v_name := v_table || '_' || to_char(v_month, 'YYYY_MM');
      IF to_regclass(v_name) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', v_name, v_table);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', v_name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', v_name);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_table, v_name,
                       uuidv7_floor(v_month AT TIME ZONE 'UTC'),
                       uuidv7_floor((v_month + interval '1 month') AT TIME ZONE 'UTC'));
      END IF;
    END LOOP;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION ensure_partitions FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION ensure_partitions TO tidings_worker;
