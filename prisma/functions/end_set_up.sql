-- Trigger of tenants: with the first organisation the token of the set-up page is gone, whoever adds it. Whoever is using the
-- token at that moment comes first, or finds it gone.
-- Owner: onboarding.
CREATE OR REPLACE FUNCTION end_set_up() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM set_up_tokens;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION end_set_up FROM PUBLIC, tidings_web, tidings_worker;

CREATE OR REPLACE TRIGGER end_set_up AFTER INSERT ON tenants FOR EACH STATEMENT EXECUTE FUNCTION end_set_up();
