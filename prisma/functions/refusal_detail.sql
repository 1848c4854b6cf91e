-- The sentence for a code of send_refusal().
-- Owner: consent.
CREATE OR REPLACE FUNCTION refusal_detail(p_code text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE p_code
    WHEN 'suppressed' THEN 'The address is on the suppression list.'
    WHEN 'consent_denied' THEN 'The recipient has not consented to this class of message on this channel.'
  END
$$;
