-- At whom a mail arrives, as far as reports tell them apart: gmail | yahoo | microsoft | other; empty on other channels. By the
-- domains that these companies give to people; who hosts a company's own domain is not in its name. Owner: insights.
CREATE OR REPLACE FUNCTION mail_domain_group(p_channel text, p_recipient text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_channel <> 'email' THEN ''
    WHEN p_recipient ~ '@(gmail|googlemail)\.com$' THEN 'gmail'
    WHEN p_recipient ~ '@((yahoo|ymail|rocketmail|myyahoo)\.[a-z]{2,3}(\.[a-z]{2})?|(aol|aim|verizon|att|sbcglobal|bellsouth)\.(com|net|de|fr|it|es|co\.uk))$' THEN 'yahoo'
    WHEN p_recipient ~ '@((outlook|hotmail|live|windowslive)\.[a-z]{2,3}(\.[a-z]{2})?|msn\.com|passport\.com)$' THEN 'microsoft'
    ELSE 'other' END
$$;
