-- What other domains may read of connections; neither credentials nor settings. Owner: connections.
CREATE OR REPLACE VIEW connection_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, unit_id, name, adapter, channels, platform_channel_id, processing_region, enabled,
    inbound_application_id, inbound_environment_id, created_at
  FROM provider_connections;
REVOKE ALL ON connection_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON connection_facts TO tidings_web, tidings_worker;
