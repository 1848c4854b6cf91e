-- Drops the oldest month of one partitioned table that no organisation keeps any more, and says which; null: there is none. The
-- longest that any organisation keeps something decides, and never less than the usual period. Adding to the table
-- waits while a partition is dropped: one a call, and it gives up (55P03) when it does not get its lock at once, for behind its
-- waiting everybody else would wait.
--   p_log   the webhook log, otherwise what is kept of messages
-- Owner: kernel.
CREATE OR REPLACE FUNCTION drop_old_partition(p_log boolean) RETURNS text LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  v_tables text[] := CASE WHEN p_log THEN ARRAY['webhook_attempts', 'webhook_deliveries']
                          ELSE ARRAY['attempts', 'notification_events', 'notifications'] END;
  v_path text[] := ARRAY['retention', CASE WHEN p_log THEN 'webhookLogDays' ELSE 'metadataMonths' END];
  v_default numeric := CASE WHEN p_log THEN 30 ELSE 13 END;
  v_longest int;
  v_cutoff timestamp;
  v_name text;
BEGIN
  SELECT least(greatest(max(CASE WHEN t.settings #> v_path IS NULL THEN v_default
      WHEN jsonb_typeof(t.settings #> v_path) = 'number' THEN (t.settings #>> v_path)::numeric ELSE 365 END), v_default), 365)::int
  INTO v_longest FROM tenant_facts t;
  v_cutoff := CASE WHEN p_log THEN (now() AT TIME ZONE 'UTC') - make_interval(days => coalesce(v_longest, 365))
    ELSE date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => coalesce(v_longest, 365)) END;
  SELECT c.relname INTO v_name
  FROM unnest(v_tables) WITH ORDINALITY AS parent(name, position)
  JOIN pg_inherits i ON i.inhparent = parent.name::regclass
  JOIN pg_class c ON c.oid = i.inhrelid AND c.relname ~ ('^' || parent.name || '_\d{4}_\d{2}$')
  WHERE to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= v_cutoff
  ORDER BY right(c.relname, 7), parent.position LIMIT 1;
  IF v_name IS NOT NULL THEN
    EXECUTE format('DROP TABLE %I', v_name);
  END IF;
  RETURN v_name;
END
$$;
REVOKE ALL ON FUNCTION drop_old_partition FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION drop_old_partition TO tidings_worker;
