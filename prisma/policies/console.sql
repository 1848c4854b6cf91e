-- Of no tenant, and nobody's but the console's: neither web nor worker sees an operator. Events are written once.
REVOKE ALL ON operators, operator_links, operator_sessions, operator_events, organisation_deletions
  FROM tidings_web, tidings_worker, tidings_console;
GRANT SELECT, UPDATE (password_hash) ON operators TO tidings_console;
GRANT SELECT, DELETE ON operator_links TO tidings_console;
GRANT SELECT, INSERT, UPDATE (last_seen_at, ended_at), DELETE ON operator_sessions TO tidings_console;
GRANT SELECT, INSERT ON operator_events TO tidings_console;
-- The console asks for a deletion and takes it back before it has begun; delete_organisation() carries it out. When, it cannot say:
-- set_deletion_time() does.
GRANT SELECT, INSERT (organisation, organisation_slug), DELETE ON organisation_deletions TO tidings_console;
GRANT SELECT ON organisation_deletions TO tidings_worker;
