-- The time zone of whoever an address belongs to, where it is known. Owner: contacts.
CREATE OR REPLACE VIEW contact_zones WITH (security_invoker = true) AS
  SELECT a.tenant_id, a.channel, a.address, c.time_zone
  FROM contact_addresses a JOIN contacts c ON c.tenant_id = a.tenant_id AND c.id = a.contact_id
  WHERE c.time_zone IS NOT NULL;
REVOKE ALL ON contact_zones FROM tidings_web, tidings_worker;
GRANT SELECT ON contact_zones TO tidings_web, tidings_worker;
