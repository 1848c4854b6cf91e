-- Who requested a promotion, as a person: an API key may belong to somebody else by the time it is decided. Written once, as
-- all that is said of the request: the web role updates named columns only.
ALTER TABLE "promotions" ADD COLUMN "requested_by_person_id" UUID;
UPDATE promotions p SET requested_by_person_id = CASE p.requested_by_type
  WHEN 'user' THEN p.requested_by_id
  WHEN 'apiKey' THEN (SELECT k.created_by_id FROM api_keys k WHERE k.tenant_id = p.tenant_id AND k.id = p.requested_by_id)
END;
