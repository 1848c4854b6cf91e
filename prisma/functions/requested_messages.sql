-- The messages of one request that accept_sends() takes, as rows.
-- Owner: sending.
DROP FUNCTION IF EXISTS requested_messages(jsonb);
CREATE OR REPLACE FUNCTION requested_messages(p_messages jsonb) RETURNS TABLE (
  id uuid, "position" int, channel text, recipient text, variables jsonb, template_id uuid, template_version int, policy text,
  reason_code text, reason_detail text, token text, consent_class text, country text) LANGUAGE sql STABLE AS $$
  SELECT m.id, m.position, m.channel, m.recipient, m.variables, m."templateId", m."templateVersion", m.policy,
    m."reasonCode", m."reasonDetail", m.token, m."consentClass", m.country
  FROM jsonb_to_recordset(p_messages) AS m(id uuid, position int, channel text, recipient text, variables jsonb,
    "templateId" uuid, "templateVersion" int, policy text, "reasonCode" text, "reasonDetail" text, token text, "consentClass" text,
    country text)
$$;
