-- Three indexes that only SQL describes, which the migration of providers and routing has taken away: look-ups by id
-- before a tenant is known, and an environment's messages, newest first.
CREATE INDEX IF NOT EXISTS api_keys_id_idx ON api_keys (id);
CREATE INDEX IF NOT EXISTS provider_connections_id_idx ON provider_connections (id);
CREATE INDEX IF NOT EXISTS notifications_environment_idx ON notifications (tenant_id, environment_id, id);
