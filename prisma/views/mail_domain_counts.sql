-- What became of e-mails, by day (UTC) of their acceptance and mailbox provider; what is folded. Owner: insights.
CREATE OR REPLACE VIEW mail_domain_counts WITH (security_invoker = true) AS
  SELECT r.tenant_id, r.at AS day, k.environment_id, k.mail_domain AS domain_group, r.delivered, r.final, r.bounced, r.complained
  FROM rollups r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id
  WHERE r.grain = 'day' AND k.channel = 'email';
REVOKE ALL ON mail_domain_counts FROM tidings_web, tidings_worker;
GRANT SELECT ON mail_domain_counts TO tidings_web, tidings_worker;
