-- What became of e-mails, by day (UTC) of their acceptance and mailbox provider; what is folded. Several rows may be of the same.
-- Owner: insights.
CREATE OR REPLACE VIEW mail_domain_counts WITH (security_invoker = true) AS
  SELECT r.tenant_id, r.at AS day, k.environment_id, k.mail_domain AS domain_group, r.delivered, r.final, r.bounced, r.complained
  FROM (
    SELECT tenant_id, at, key_id, delivered, final, bounced, complained FROM rollups WHERE grain = 'day' AND slice = 'mail_domain'
    UNION ALL
    SELECT p.tenant_id, p.at, c.key_id, c.delivered, c.final, c.bounced, c.complained
    FROM rollup_packs p CROSS JOIN LATERAL unnest(p.counts) AS c WHERE p.grain = 'day' AND p.slice = 'mail_domain'
  ) AS r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id
  WHERE k.channel = 'email';
REVOKE ALL ON mail_domain_counts FROM tidings_web, tidings_worker;
GRANT SELECT ON mail_domain_counts TO tidings_web, tidings_worker;
