-- The sentence for a code of send_refusal(), as refusalOf() in server/sending/refusal.ts has it.
--   p_state: of consent, opted_in | opted_out; null: the recipient never said anything
-- Owner: consent.
DROP FUNCTION IF EXISTS refusal_detail(text);
CREATE OR REPLACE FUNCTION refusal_detail(p_code text, p_state text, p_channel text, p_class text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_code = 'suppressed' THEN 'The address is on the suppression list.'
    WHEN p_code = 'consent_denied' THEN
      (SELECT CASE WHEN p_state = 'opted_out' THEN
          format('The recipient has opted out of %s. They can opt in again %s%s.', w.what,
            CASE p_channel WHEN 'email' THEN 'on the page behind the unsubscribe link of a mail' ELSE 'by writing START' END,
            CASE WHEN p_class <> 'authentication' THEN ', or by agreeing when you ask them (POST /v1/consents/confirmations)' ELSE '' END)
        ELSE
          format('The recipient has never opted in to %s, which need that. Record their opt-in (POST /v1/consents)%s.', w.what,
            CASE WHEN p_class <> 'authentication' THEN ', or ask them for it (POST /v1/consents/confirmations)' ELSE '' END)
        END
       FROM (SELECT format('%s by %s',
          CASE p_class WHEN 'marketing' THEN 'marketing messages' WHEN 'service' THEN 'service messages'
            WHEN 'transactional' THEN 'transactional messages' ELSE 'one-time codes' END,
          CASE p_channel WHEN 'sms' THEN 'SMS' WHEN 'email' THEN 'e-mail' ELSE 'WhatsApp' END) AS what) AS w)
  END
$$;
