-- Whether sending is on hold in the whole installation.
-- Owner: platform.
CREATE OR REPLACE FUNCTION is_sending_held() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM sending_holds)
$$;
