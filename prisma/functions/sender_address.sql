-- A sender in the form in which two of them are compared; as senderAddress() has it.
-- Owner: connections.
CREATE OR REPLACE FUNCTION sender_address(p_channel text, p_sender text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE sender_kind(p_channel, p_sender)
    WHEN 'email_domain' THEN lower(substr(p_sender, 3))
    WHEN 'email' THEN lower(trim(coalesce(substring(p_sender FROM '<([^<>]*)>\s*$'), p_sender)))
    WHEN 'alphanumeric' THEN lower(p_sender)
    ELSE regexp_replace(p_sender, '^(whatsapp:)?\+?', '', 'i') END
$$;
