-- What other domains may read of the groups of a directory: which role each gives, and where. Owner: directory.
CREATE OR REPLACE VIEW directory_mapping_facts WITH (security_invoker = true) AS
  SELECT m.tenant_id, m.id, m.role_id, m.unit_id, m.group_id, g.name AS group_name
  FROM directory_mappings m JOIN directory_groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id;
REVOKE ALL ON directory_mapping_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON directory_mapping_facts TO tidings_web, tidings_worker;
