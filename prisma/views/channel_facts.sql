-- The operator's channels, as the connections that use them need them; their credentials are sealed. Owner: platform.
CREATE OR REPLACE VIEW channel_facts WITH (security_invoker = true) AS
  SELECT id, name, credentials, settings, price_list, processing_region, enabled, updated_at FROM platform_channels;
REVOKE ALL ON channel_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON channel_facts TO tidings_web, tidings_worker;
