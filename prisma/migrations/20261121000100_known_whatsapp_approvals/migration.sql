-- Versions that were saved before approvals had a table of their own: without a row nobody asks the provider about them,
-- nobody can set them by hand, and no promotion into production passes. What the newest version said of an approval counts.
INSERT INTO whatsapp_approvals (tenant_id, template_id, template_name, language, status, reason, source, updated_by, updated_at)
SELECT DISTINCT ON (v.tenant_id, v.template_id, v.metadata->>'templateName', coalesce(v.metadata->>'language', ''))
       v.tenant_id, v.template_id, v.metadata->>'templateName', coalesce(v.metadata->>'language', ''),
       coalesce(v.metadata->>'approvalStatus', 'unsubmitted'), v.metadata->>'rejectionReason',
       CASE WHEN v.metadata ? 'approvalStatus' THEN 'manual' ELSE 'provider' END, v.author_name, v.created_at
FROM template_versions v
JOIN templates t ON t.tenant_id = v.tenant_id AND t.id = v.template_id AND t.channel = 'whatsapp'
WHERE v.metadata ? 'templateName'
ORDER BY v.tenant_id, v.template_id, v.metadata->>'templateName', coalesce(v.metadata->>'language', ''), v.version DESC
ON CONFLICT DO NOTHING;
