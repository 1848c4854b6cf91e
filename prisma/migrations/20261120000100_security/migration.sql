-- Who may see which row. Two roles run the product; neither owns a table nor bypasses row-level security:
--   tidings_web     sees one tenant at a time, the one named by the setting app.tenant; unset, it sees nothing
--   tidings_worker  carries out the work of all tenants
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidings_web') THEN
    CREATE ROLE tidings_web NOLOGIN NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidings_worker') THEN
    CREATE ROLE tidings_worker NOLOGIN NOBYPASSRLS;
  END IF;
  -- So that a part started with the owner's address can step down to its role.
  EXECUTE format('GRANT tidings_web, tidings_worker TO %I', current_user);
EXCEPTION WHEN unique_violation OR duplicate_object THEN
  NULL; -- another database of this cluster is being migrated at the same moment
END
$$;

CREATE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('app.tenant', true), '')::uuid
$$;

-- Row-level security for one table: forced, so that it binds the owner too, who gets a policy of its own for
-- migrations and for the few SECURITY DEFINER look-ups below.
CREATE FUNCTION protect_table(p_table regclass, p_tenant_column text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', p_table);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', p_table);
  EXECUTE format('CREATE POLICY tenant_isolation ON %s TO tidings_web USING (%I = (SELECT current_tenant())) WITH CHECK (%I = (SELECT current_tenant()))',
                 p_table, p_tenant_column, p_tenant_column);
  EXECUTE format('CREATE POLICY worker_access ON %s TO tidings_worker USING (true) WITH CHECK (true)', p_table);
  EXECUTE format('CREATE POLICY owner_access ON %s TO CURRENT_USER USING (true) WITH CHECK (true)', p_table);
END
$$;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY[
    'organization_units', 'environments', 'applications', 'pipeline_stages', 'notification_types',
    'users', 'roles', 'role_assignments', 'sessions', 'api_keys', 'rate_windows', 'audit_events',
    'templates', 'template_versions', 'template_deployments', 'suppressions', 'consent_entries',
    'provider_connections', 'routing_rules', 'send_requests', 'idempotency_keys', 'notifications',
    'notification_events', 'attempts', 'cost_entries', 'webhook_endpoints', 'webhook_deliveries',
    'webhook_attempts', 'metric_deltas', 'metric_rollups', 'metric_summaries'
  ] LOOP
    PERFORM protect_table(t::regclass, 'tenant_id');
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO tidings_web, tidings_worker', t);
  END LOOP;
  PERFORM protect_table('tenants'::regclass, 'id');
END
$$;

GRANT SELECT, UPDATE ON tenants TO tidings_web, tidings_worker;
-- Operators add tenants; no request does.
GRANT INSERT ON tenants TO tidings_worker;
-- The audit trail and the record of what happened are written once.
REVOKE UPDATE, DELETE ON audit_events, consent_entries, template_versions, notification_events FROM tidings_web;
REVOKE UPDATE ON audit_events, consent_entries, template_versions, notification_events FROM tidings_worker;
REVOKE DELETE ON notifications, attempts, send_requests, webhook_deliveries, webhook_attempts, cost_entries FROM tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_limits TO tidings_web, tidings_worker;
GRANT USAGE ON SEQUENCE metric_deltas_id_seq TO tidings_web, tidings_worker;

-- Partitions --------------------------------------------------------------------------------------------------

-- The smallest UUIDv7 of an instant (RFC 9562 §5.7: 48 bits of Unix milliseconds lead).
CREATE FUNCTION uuidv7_floor(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

CREATE FUNCTION uuidv7_time(p_id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || substr(replace(p_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
$$;

-- Makes the monthly partitions from last month to p_months_ahead; what is there already stays. Called when
-- migrating and every day by the worker, so it runs as its owner.
CREATE FUNCTION ensure_partitions(p_months_ahead int) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
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
REVOKE EXECUTE ON FUNCTION ensure_partitions(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_partitions(int) TO tidings_worker;
REVOKE EXECUTE ON FUNCTION protect_table(regclass, text) FROM PUBLIC;
SELECT ensure_partitions(3);

-- The look-ups that come before a tenant is known ----------------------------------------------------------------

CREATE FUNCTION find_api_key(p_id uuid)
RETURNS TABLE (tenant_id uuid, tenant_slug text, id uuid, name text, hash bytea, environment_id uuid, environment_kind text,
               unit_id uuid, application_id uuid, permissions text[], rate_limit_per_minute int,
               expires_at timestamptz, revoked_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.tenant_id, t.slug, k.id, k.name, k.hash, k.environment_id, e.kind, k.unit_id, k.application_id, r.permissions,
         k.rate_limit_per_minute, k.expires_at, k.revoked_at
  FROM api_keys k
  JOIN tenants t ON t.id = k.tenant_id
  JOIN roles r ON r.tenant_id = k.tenant_id AND r.id = k.role_id
  JOIN environments e ON e.tenant_id = k.tenant_id AND e.id = k.environment_id
  WHERE k.id = p_id
$$;

CREATE FUNCTION find_sign_in(p_email text)
RETURNS TABLE (tenant_id uuid, tenant_slug text, user_id uuid, name text, password_hash text, disabled_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.tenant_id, t.slug, u.id, u.name, u.password_hash, u.disabled_at
  FROM users u JOIN tenants t ON t.id = u.tenant_id
  WHERE u.email = lower(p_email)
$$;

CREATE FUNCTION find_connection_tenant(p_id uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT tenant_id FROM provider_connections WHERE id = p_id
$$;
CREATE INDEX provider_connections_id_idx ON provider_connections (id);
CREATE INDEX api_keys_id_idx ON api_keys (id);

-- Which of the expected migrations are not applied yet: what a process asks before it calls itself ready. The roles may
-- not read Prisma's table, and a database without that table was never migrated.
CREATE FUNCTION pending_migrations(p_expected text[]) RETURNS text[] LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  RETURN ARRAY(SELECT e FROM unnest(p_expected) AS e WHERE NOT EXISTS (
    SELECT FROM _prisma_migrations m WHERE m.migration_name = e AND m.finished_at IS NOT NULL AND m.rolled_back_at IS NULL));
EXCEPTION WHEN undefined_table THEN
  RETURN p_expected;
END
$$;
REVOKE EXECUTE ON FUNCTION pending_migrations(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pending_migrations(text[]) TO tidings_web, tidings_worker;

-- Request counts of API keys: a web process tells what it counted for all tenants at once and learns the sums.
CREATE FUNCTION add_requests(p_tenants uuid[], p_keys uuid[], p_windows timestamptz[], p_used int[])
RETURNS TABLE (api_key_id uuid, used int) LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO rate_windows AS w (tenant_id, api_key_id, window_start, used)
  SELECT r.tenant_id, r.api_key_id, r.window_start, r.used
  FROM unnest(p_tenants, p_keys, p_windows, p_used) AS r (tenant_id, api_key_id, window_start, used)
  ORDER BY r.tenant_id, r.api_key_id, r.window_start -- so that two processes cannot wait for each other
  ON CONFLICT (tenant_id, api_key_id, window_start) DO UPDATE SET used = w.used + excluded.used
  RETURNING w.api_key_id, w.used
$$;

CREATE FUNCTION purge_rate_windows() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM rate_windows WHERE window_start < now() - interval '10 minutes'
$$;
REVOKE EXECUTE ON FUNCTION add_requests(uuid[], uuid[], timestamptz[], int[]), purge_rate_windows() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_requests(uuid[], uuid[], timestamptz[], int[]), purge_rate_windows() TO tidings_web;

-- Queue ------------------------------------------------------------------------------------------------------

-- Adds jobs to graphile-worker. The only door to the queue: neither role reads or writes its tables through it.
-- p_jobs: [{ "task", "payload", "runAt"?, "priority"?, "jobKey"?, "maxAttempts"? }]
CREATE FUNCTION enqueue_jobs(p_jobs jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW(j->>'task', (j->'payload')::json, NULL, (j->>'runAt')::timestamptz, (j->>'maxAttempts')::smallint,
               j->>'jobKey', (j->>'priority')::smallint, NULL)::graphile_worker.job_spec
    FROM jsonb_array_elements(p_jobs) AS j));
END
$$;
REVOKE EXECUTE ON FUNCTION enqueue_jobs(jsonb) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION find_api_key(uuid), find_sign_in(text), find_connection_tenant(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_jobs(jsonb) TO tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_api_key(uuid), find_sign_in(text), find_connection_tenant(uuid) TO tidings_web, tidings_worker;

-- The worker runs graphile-worker itself.
GRANT USAGE ON SCHEMA graphile_worker TO tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO tidings_worker;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA graphile_worker TO tidings_worker;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO tidings_worker;
-- A runner finds its own few jobs without reading past the many that wait for another: with 50,000 marketing messages
-- waiting, looking for a one-time code took 6 ms instead of 0.3, for each of the runners and whenever jobs were added.
CREATE INDEX jobs_of_task_idx ON graphile_worker._private_jobs (task_id, priority, run_at) WHERE is_available;

-- graphile-worker enables row-level security on its tables without a policy.
DO $$
DECLARE t record;
BEGIN
  FOR t IN SELECT c.oid::regclass AS name FROM pg_class c WHERE c.relnamespace = 'graphile_worker'::regnamespace
           AND c.relkind = 'r' AND c.relrowsecurity LOOP
    EXECUTE format('CREATE POLICY worker_access ON %s TO tidings_worker USING (true) WITH CHECK (true)', t.name);
  END LOOP;
END
$$;
