SELECT protect_table('domains');
SELECT protect_table('scim_tokens');
SELECT protect_table('directory_people');
SELECT protect_table('directory_groups');
SELECT protect_table('directory_group_members');
SELECT protect_table('directory_mappings');
GRANT SELECT, INSERT, UPDATE, DELETE ON domains, directory_people, directory_groups TO tidings_web, tidings_worker;
-- Either there or not.
GRANT SELECT, INSERT, DELETE ON directory_group_members, directory_mappings TO tidings_web, tidings_worker;
-- A token is never deleted by a request: who came in with it stays known.
GRANT SELECT, INSERT, UPDATE (expires_at, revoked_at, last_used_at) ON scim_tokens TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON scim_tokens TO tidings_worker;
