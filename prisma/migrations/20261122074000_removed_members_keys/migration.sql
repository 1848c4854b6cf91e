-- Removing a member ends their API keys; those of members who were removed before end now.
UPDATE api_keys k SET revoked_at = now()
FROM users u
WHERE u.tenant_id = k.tenant_id AND u.id = k.created_by_id AND u.disabled_at IS NOT NULL AND k.revoked_at IS NULL;
