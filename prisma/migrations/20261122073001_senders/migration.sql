-- Senders have an owner: a message may only be sent from, and a reply is only shown to, the unit whose the sender is.

-- CreateTable
CREATE TABLE "senders" (
    "tenant_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "channel" TEXT NOT NULL,
    "region" TEXT,
    "sender" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "unit_id" UUID,
    "platform_channel_id" UUID,
    "sandbox" BOOLEAN NOT NULL,
    "repeated" BOOLEAN NOT NULL,

    CONSTRAINT "senders_pkey" PRIMARY KEY ("tenant_id","connection_id","position")
);

-- CreateIndex
CREATE INDEX "senders_tenant_id_channel_address_idx" ON "senders"("tenant_id", "channel", "address");

-- By hand ---------------------------------------------------------------------------------------------------------

SELECT protect_table('senders'::regclass, 'tenant_id');
-- Written by the trigger below alone.
GRANT SELECT ON senders TO tidings_web, tidings_worker;

-- What answers come to is lent to one organisation per channel of the operator.
CREATE UNIQUE INDEX senders_lent_once ON senders (platform_channel_id, channel, address)
  WHERE platform_channel_id IS NOT NULL AND kind IN ('numeric', 'whatsapp') AND NOT repeated;

-- A sender in the form in which two of them are compared; as senderAddress() has it.
CREATE FUNCTION sender_kind(p_channel text, p_sender text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_channel = 'email' THEN CASE WHEN p_sender LIKE '*@%' THEN 'email_domain' ELSE 'email' END
    WHEN p_channel = 'whatsapp' THEN 'whatsapp'
    WHEN p_sender ~ '^\+?[0-9]+$' THEN 'numeric'
    ELSE 'alphanumeric' END
$$;
CREATE FUNCTION sender_address(p_channel text, p_sender text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE sender_kind(p_channel, p_sender)
    WHEN 'email_domain' THEN lower(substr(p_sender, 3))
    WHEN 'email' THEN lower(trim(coalesce(substring(p_sender FROM '<([^<>]*)>\s*$'), p_sender)))
    WHEN 'alphanumeric' THEN lower(p_sender)
    ELSE regexp_replace(p_sender, '^(whatsapp:)?\+?', '', 'i') END
$$;

-- The senders of one connection as rows; `senders` as connections hold them: [{ channel, region?, sender, unitId? }].
CREATE FUNCTION sender_rows(c provider_connections) RETURNS SETOF senders LANGUAGE sql STABLE AS $$
  SELECT c.tenant_id, c.id, (e.position - 1)::int, e.entry->>'channel', e.entry->>'region', e.entry->>'sender',
    sender_kind(e.entry->>'channel', e.entry->>'sender'), sender_address(e.entry->>'channel', e.entry->>'sender'),
    coalesce(c.unit_id, (e.entry->>'unitId')::uuid), c.platform_channel_id, c.adapter = 'simulator',
    row_number() OVER (PARTITION BY e.entry->>'channel', sender_address(e.entry->>'channel', e.entry->>'sender')
      ORDER BY e.position) > 1
  FROM jsonb_array_elements(c.senders) WITH ORDINALITY AS e(entry, position)
  WHERE e.entry->>'channel' IS NOT NULL AND e.entry->>'sender' IS NOT NULL
$$;

-- Keeps the table at what connections list. It is the owner's, so that nobody claims a sender past a connection. A number
-- of two units would bring the replies to one of them to the other.
CREATE FUNCTION sync_senders() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_taken text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM senders WHERE tenant_id = OLD.tenant_id AND connection_id = OLD.id;
    RETURN NULL;
  END IF;
  -- Two transactions that each claim a number would not see one another.
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
REVOKE EXECUTE ON FUNCTION sync_senders() FROM PUBLIC;

-- What connections list today. Of a channel's number that two were given, the newest giving holds: the others lose it.
UPDATE provider_connections c SET senders = (
  SELECT coalesce(jsonb_agg(e.entry ORDER BY e.position), '[]')
  FROM jsonb_array_elements(c.senders) WITH ORDINALITY AS e(entry, position)
  WHERE NOT (sender_kind(e.entry->>'channel', e.entry->>'sender') IN ('numeric', 'whatsapp') AND EXISTS (
    SELECT FROM provider_connections o, jsonb_array_elements(o.senders) AS other
    WHERE o.platform_channel_id = c.platform_channel_id AND (o.created_at, o.id) > (c.created_at, c.id)
      AND other->>'channel' = e.entry->>'channel'
      AND sender_address(other->>'channel', other->>'sender') = sender_address(e.entry->>'channel', e.entry->>'sender'))))
WHERE c.platform_channel_id IS NOT NULL AND jsonb_array_length(c.senders) > 0;
INSERT INTO senders SELECT (sender_rows(c)).* FROM provider_connections c;
-- Of a number that two units list, nobody knows whose it is: it is the whole organisation's, as it was, until somebody says.
UPDATE senders s SET unit_id = NULL
WHERE s.kind IN ('numeric', 'whatsapp') AND EXISTS (
  SELECT FROM senders o WHERE o.tenant_id = s.tenant_id AND o.channel = s.channel AND o.address = s.address
    AND o.sandbox = s.sandbox AND o.kind = s.kind AND o.unit_id IS DISTINCT FROM s.unit_id);

-- Live templates go on as they do: what they name is listed by the organisation's own connections that carry it, unless it
-- is another unit's. On an operator's channel the operator lists it.
WITH named AS (
  SELECT t.tenant_id, t.channel, coalesce(v.metadata->>'senderId', v.metadata->>'from') AS sender,
    array_agg(DISTINCT a.unit_id) AS units
  FROM template_deployments d
  JOIN templates t ON t.tenant_id = d.tenant_id AND t.id = d.template_id AND t.archived_at IS NULL
  JOIN template_versions v ON v.tenant_id = d.tenant_id AND v.template_id = d.template_id AND v.version = d.version
  JOIN applications a ON a.tenant_id = t.tenant_id AND a.id = t.application_id
  WHERE coalesce(v.metadata->>'senderId', v.metadata->>'from') IS NOT NULL
  GROUP BY 1, 2, 3
), owned AS (
  SELECT n.*, sender_address(n.channel, n.sender) AS address,
    CASE WHEN o.known THEN o.unit_id WHEN cardinality(n.units) = 1 THEN n.units[1] END AS unit_id
  FROM named n LEFT JOIN LATERAL (
    SELECT true AS known, CASE WHEN bool_and(s.unit_id IS NOT NULL) THEN min(s.unit_id::text)::uuid END AS unit_id FROM senders s
    WHERE s.tenant_id = n.tenant_id AND s.channel = n.channel AND NOT s.sandbox
      AND s.address = sender_address(n.channel, n.sender) HAVING count(*) > 0
  ) AS o ON true
), wanted AS (
  SELECT c.tenant_id, c.id, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('channel', w.channel, 'sender', w.sender,
    'unitId', CASE WHEN c.unit_id IS NULL THEN w.unit_id END)) ORDER BY w.channel, w.sender) AS entries
  FROM owned w JOIN provider_connections c ON c.tenant_id = w.tenant_id AND w.channel = ANY (c.channels)
  WHERE c.platform_channel_id IS NULL AND c.adapter <> 'simulator'
    AND (w.unit_id IS NULL OR w.unit_id = ANY (w.units))
    AND (c.unit_id IS NULL OR c.unit_id = w.unit_id
      OR (w.unit_id IS NULL AND c.unit_id = ANY (w.units) AND sender_kind(w.channel, w.sender) <> 'numeric'))
    AND NOT EXISTS (SELECT FROM senders s WHERE s.tenant_id = c.tenant_id AND s.connection_id = c.id
      AND s.channel = w.channel AND s.address = w.address)
  GROUP BY 1, 2
)
UPDATE provider_connections c SET senders = c.senders || w.entries,
  updated_at = greatest(now(), c.updated_at + interval '1 millisecond')
FROM wanted w WHERE c.tenant_id = w.tenant_id AND c.id = w.id;
INSERT INTO senders SELECT r.* FROM provider_connections c CROSS JOIN LATERAL sender_rows(c) r
ON CONFLICT DO NOTHING;

CREATE TRIGGER sync_new_senders AFTER INSERT ON provider_connections FOR EACH ROW
  WHEN (NEW.senders <> '[]') EXECUTE FUNCTION sync_senders();
CREATE TRIGGER sync_changed_senders AFTER UPDATE ON provider_connections FOR EACH ROW
  WHEN ((OLD.senders, OLD.unit_id, OLD.platform_channel_id) IS DISTINCT FROM (NEW.senders, NEW.unit_id, NEW.platform_channel_id))
  EXECUTE FUNCTION sync_senders();
CREATE TRIGGER sync_ended_senders AFTER DELETE ON provider_connections FOR EACH ROW EXECUTE FUNCTION sync_senders();

-- Nobody's conversations are the unit's whose the number is; who can see them follows from it.
DROP INDEX conversations_of_key;
CREATE UNIQUE INDEX conversations_of_key ON conversations
  (tenant_id, sandbox, channel, address, own_address, application_id, environment_id, unit_id) NULLS NOT DISTINCT;
UPDATE conversations c SET unit_id = coalesce(
  (SELECT min(s.unit_id::text)::uuid FROM senders s WHERE s.tenant_id = c.tenant_id AND s.channel = c.channel
    AND s.address = sender_address(c.channel, c.own_address) AND s.kind IN ('numeric', 'whatsapp') AND s.sandbox = c.sandbox),
  (SELECT p.unit_id FROM provider_connections p WHERE p.tenant_id = c.tenant_id AND p.id = c.connection_id))
WHERE c.application_id IS NULL;
