SELECT protect_table('users');
SELECT protect_table('roles');
SELECT protect_table('role_assignments');
SELECT protect_table('invitations');
SELECT protect_table('sessions');
SELECT protect_table('api_keys');
SELECT protect_table('agents');
SELECT protect_table('agent_minutes');
SELECT protect_table('rate_windows');
SELECT protect_table('idempotent_answers');
SELECT protect_table('password_links');
SELECT protect_table('second_factors');
SELECT protect_table('recovery_codes');
SELECT protect_table('passkeys');
SELECT protect_table('sign_in_policies');
SELECT protect_table('external_identities');
GRANT SELECT, INSERT, UPDATE, DELETE ON users, roles, role_assignments, invitations, sessions, api_keys, agents TO tidings_web, tidings_worker;
GRANT SELECT, INSERT, DELETE ON password_links TO tidings_web, tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factors, recovery_codes, passkeys, idempotent_answers TO tidings_web, tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON external_identities TO tidings_web, tidings_worker;
GRANT SELECT, INSERT, UPDATE ON sign_in_policies TO tidings_web;
GRANT SELECT ON sign_in_policies TO tidings_worker;

GRANT SELECT, INSERT, UPDATE, DELETE ON agent_minutes TO tidings_web, tidings_worker;

-- Counts of requests only go up: add_requests() writes them.
GRANT SELECT ON rate_windows TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_windows TO tidings_worker;

-- sign_in_delays belongs to no tenant and is the owner's: count_sign_in() and take_back_sign_in() write it.
-- passkey_challenges too: take_passkey_challenge() writes it.
