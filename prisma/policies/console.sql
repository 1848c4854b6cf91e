-- Of no tenant, and nobody's but the console's: neither web nor worker sees an operator. Events are written once.
REVOKE ALL ON operators, operator_links, operator_sessions, operator_events, operator_second_factors, operator_recovery_codes,
  organisation_deletions, channel_requests
  FROM tidings_web, tidings_worker, tidings_console;
GRANT SELECT, UPDATE (password_hash) ON operators TO tidings_console;
GRANT SELECT, DELETE ON operator_links TO tidings_console;
GRANT SELECT, INSERT, UPDATE (last_seen_at, ended_at), DELETE ON operator_sessions TO tidings_console;
GRANT SELECT, INSERT ON operator_events TO tidings_console;
GRANT SELECT, INSERT, UPDATE (secret, last_step, created_at, confirmed_at), DELETE ON operator_second_factors TO tidings_console;
GRANT SELECT, INSERT, UPDATE (used_at), DELETE ON operator_recovery_codes TO tidings_console;
-- Changes of the service's own channels are asked for and carried out by the worker, with its functions alone.
GRANT SELECT, INSERT (id, operator_id, operator_name, session_id, ip, request_id, action, organisation, organisation_slug, input)
  ON channel_requests TO tidings_console;
-- The console asks for a deletion and takes it back before it has begun; delete_organisation() carries it out. When, it cannot say:
-- set_deletion_time() does.
GRANT SELECT, INSERT (organisation, organisation_slug), DELETE ON organisation_deletions TO tidings_console;
GRANT SELECT ON organisation_deletions TO tidings_worker;
-- Nor can it take back a deletion whose time has come, with whatever statement.
ALTER TABLE organisation_deletions ENABLE ROW LEVEL SECURITY;
ALTER TABLE organisation_deletions FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS owner_access ON organisation_deletions;
DROP POLICY IF EXISTS worker_access ON organisation_deletions;
DROP POLICY IF EXISTS console_looks ON organisation_deletions;
DROP POLICY IF EXISTS console_asks ON organisation_deletions;
DROP POLICY IF EXISTS console_takes_back ON organisation_deletions;
CREATE POLICY owner_access ON organisation_deletions TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE POLICY worker_access ON organisation_deletions FOR SELECT TO tidings_worker USING (true);
CREATE POLICY console_looks ON organisation_deletions FOR SELECT TO tidings_console USING (true);
CREATE POLICY console_asks ON organisation_deletions FOR INSERT TO tidings_console WITH CHECK (started_at IS NULL);
CREATE POLICY console_takes_back ON organisation_deletions FOR DELETE TO tidings_console
  USING (started_at IS NULL AND due_at > now());
