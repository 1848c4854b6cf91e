-- graphile-worker's tables: the worker runs it, the web's role has enqueue_jobs() only. It enables row-level security on its
-- tables without a policy.
GRANT USAGE ON SCHEMA graphile_worker TO tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO tidings_worker;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA graphile_worker TO tidings_worker;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO tidings_worker;
DO $$
DECLARE t record;
BEGIN
  FOR t IN SELECT c.oid::regclass AS name FROM pg_class c WHERE c.relnamespace = 'graphile_worker'::regnamespace
           AND c.relkind = 'r' AND c.relrowsecurity LOOP
    EXECUTE format('DROP POLICY IF EXISTS worker_access ON %s', t.name);
    EXECUTE format('CREATE POLICY worker_access ON %s TO tidings_worker USING (true) WITH CHECK (true)', t.name);
  END LOOP;
END
$$;
