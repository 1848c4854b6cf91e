-- Trigger of organisation_deletions: says when a deletion may begin. The console's role may not name a time, so that none that it
-- asks for begins before deletion_days() are over, whatever statement it is asked with.
-- Owner: console.
CREATE OR REPLACE FUNCTION set_deletion_time() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.due_at := coalesce(NEW.due_at, now() + make_interval(days => deletion_days()));
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION set_deletion_time FROM PUBLIC, tidings_web, tidings_worker;

CREATE OR REPLACE TRIGGER set_deletion_time BEFORE INSERT ON organisation_deletions
FOR EACH ROW EXECUTE FUNCTION set_deletion_time();
