-- What kind of sender it is: email_domain | email | whatsapp | numeric | alphanumeric.
-- Owner: connections.
CREATE OR REPLACE FUNCTION sender_kind(p_channel text, p_sender text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_channel = 'email' THEN CASE WHEN p_sender LIKE '*@%' THEN 'email_domain' ELSE 'email' END
    WHEN p_channel = 'whatsapp' THEN 'whatsapp'
    WHEN p_sender ~ '^\+?[0-9]+$' THEN 'numeric'
    ELSE 'alphanumeric' END
$$;
