-- Makes the monthly partitions from last month to p_months_ahead; what is there already stays. Called when migrating and
-- every day by the worker, so it runs as its owner.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION ensure_partitions(p_months_ahead int) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
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
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', v_name, v_table,
                       uuidv7_floor(v_month AT TIME ZONE 'UTC'),
                       uuidv7_floor((v_month + interval '1 month') AT TIME ZONE 'UTC'));
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', v_name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', v_name);
      END IF;
    END LOOP;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION ensure_partitions FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION ensure_partitions TO tidings_worker;
