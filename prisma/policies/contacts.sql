SELECT protect_table('contacts');
SELECT protect_table('contact_addresses');
SELECT protect_table('contact_groups');
SELECT protect_table('contact_group_members');
GRANT SELECT, INSERT, UPDATE, DELETE ON contacts, contact_addresses, contact_groups, contact_group_members TO tidings_web, tidings_worker;
