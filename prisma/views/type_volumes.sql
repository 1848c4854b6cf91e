-- Counts of messages by the class of their type, outside sandboxes, in the hour or on the day (UTC) of their acceptance; `sent_ms` as
-- merge_histograms() describes it. Several rows may be of the same. Owner: insights.
CREATE OR REPLACE VIEW type_volumes WITH (security_invoker = true) AS
  SELECT r.tenant_id, r.grain, r.at, t.class, r.accepted, r.sent, r.failed, r.expired, r.undetermined, r.rejected, r.canceled, r.sent_ms
  FROM (
    SELECT tenant_id, grain, at, key_id, accepted, sent, failed, expired, undetermined, rejected, canceled, sent_ms FROM rollups
    WHERE slice = 'type'
    UNION ALL
    SELECT p.tenant_id, p.grain, p.at, c.key_id, c.accepted, c.sent, c.failed, c.expired, c.undetermined, c.rejected, c.canceled, c.sent_ms
    FROM rollup_packs p CROSS JOIN LATERAL unnest(p.counts) AS c WHERE p.slice = 'type'
  ) AS r
  JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id
  JOIN type_facts t ON t.tenant_id = k.tenant_id AND t.type = k.notification_type
  JOIN environment_facts v ON v.tenant_id = k.tenant_id AND v.id = k.environment_id AND v.kind <> 'sandbox';
REVOKE ALL ON type_volumes FROM tidings_web, tidings_worker;
GRANT SELECT ON type_volumes TO tidings_web, tidings_worker;
