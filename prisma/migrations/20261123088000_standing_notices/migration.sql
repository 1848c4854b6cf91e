-- Who was told of a consent policy that cannot be read: asked for all organisations at once, every ten minutes.
CREATE INDEX notices_policy_idx ON notices (tenant_id, user_id) WHERE kind = 'consent_policy.unreadable';
