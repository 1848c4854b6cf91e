-- Every change of the cost ledger as a difference that the worker folds into the rollups: whoever writes an entry, with a
-- message's change or on its own. Owner: insights.
CREATE OR REPLACE FUNCTION count_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO cost_deltas (tenant_id, notification_id, attempt, kind, source, currency, hour, entries, segments, amount)
    SELECT tenant_id, notification_id, attempt, kind, source, currency, date_trunc('hour', at, 'UTC'), 1, coalesce(segments, 0), amount
    FROM written;
  ELSE
    INSERT INTO cost_deltas (tenant_id, notification_id, attempt, kind, source, currency, hour, entries, segments, amount)
    SELECT tenant_id, notification_id, attempt, kind, source, currency, date_trunc('hour', at, 'UTC'), 1, coalesce(segments, 0), amount
    FROM written
    UNION ALL
    SELECT tenant_id, notification_id, attempt, kind, source, currency, date_trunc('hour', at, 'UTC'), -1, -coalesce(segments, 0), -amount
    FROM replaced;
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION count_costs FROM PUBLIC, tidings_web, tidings_worker;
CREATE OR REPLACE TRIGGER count_new_costs AFTER INSERT ON cost_entries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_costs();
CREATE OR REPLACE TRIGGER count_changed_costs AFTER UPDATE ON cost_entries
  REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION count_costs();
