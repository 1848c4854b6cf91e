-- Trigger of provider_connections: keeps `senders` at what connections list. It is the owner's, so that nobody claims a sender
-- past a connection. A number of two units would bring the replies to one of them to the other.
-- Owner: connections.
CREATE OR REPLACE FUNCTION sync_senders() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_taken text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM senders WHERE tenant_id = OLD.tenant_id AND connection_id = OLD.id;
    RETURN NULL;
  END IF;
  -- Two concurrent transactions that each claim a number would not see one another.
  PERFORM pg_advisory_xact_lock(hashtextextended('senders' || NEW.tenant_id, 0));
  DELETE FROM senders WHERE tenant_id = NEW.tenant_id AND connection_id = NEW.id;
  INSERT INTO senders SELECT (sender_rows(NEW)).*;
  SELECT s.sender INTO v_taken FROM senders s
  JOIN senders o ON o.tenant_id = s.tenant_id AND o.channel = s.channel AND o.address = s.address
    AND o.sandbox = s.sandbox AND o.kind = s.kind AND o.unit_id IS DISTINCT FROM s.unit_id
  WHERE s.tenant_id = NEW.tenant_id AND s.connection_id = NEW.id AND s.kind IN ('numeric', 'whatsapp') LIMIT 1;
  IF v_taken IS NOT NULL THEN
    RAISE EXCEPTION 'the sender % belongs to another unit on another connection', v_taken
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'senders_of_one_unit', TABLE = 'senders';
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION sync_senders FROM PUBLIC, tidings_web, tidings_worker;

CREATE OR REPLACE TRIGGER sync_new_senders AFTER INSERT ON provider_connections FOR EACH ROW
  WHEN (NEW.senders <> '[]') EXECUTE FUNCTION sync_senders();
CREATE OR REPLACE TRIGGER sync_changed_senders AFTER UPDATE ON provider_connections FOR EACH ROW
  WHEN ((OLD.senders, OLD.unit_id, OLD.platform_channel_id) IS DISTINCT FROM (NEW.senders, NEW.unit_id, NEW.platform_channel_id))
  EXECUTE FUNCTION sync_senders();
CREATE OR REPLACE TRIGGER sync_ended_senders AFTER DELETE ON provider_connections FOR EACH ROW EXECUTE FUNCTION sync_senders();
