SELECT protect_table('identity_providers');
SELECT protect_table('identity_provider_rules');
SELECT protect_table('used_sign_in_states');
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_providers TO tidings_web, tidings_worker;
-- Either there or not.
GRANT SELECT, INSERT, DELETE ON identity_provider_rules, used_sign_in_states TO tidings_web, tidings_worker;
