-- What other domains may read of routing rules: where and for what a rule holds, and which connections it names. Owner: routing.
CREATE OR REPLACE VIEW rule_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, name, environment_id, application_id, channel, priority, enabled, tiers, notification_type,
    notification_subtype
  FROM routing_rules;
REVOKE ALL ON rule_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON rule_facts TO tidings_web, tidings_worker;
