-- The senders of one connection as rows; `senders` as connections hold them: [{ channel, region?, sender, unitId? }].
-- Owner: connections.
CREATE OR REPLACE FUNCTION sender_rows(c provider_connections) RETURNS SETOF senders LANGUAGE sql STABLE AS $$
  SELECT c.tenant_id, c.id, (e.position - 1)::int, e.entry->>'channel', e.entry->>'region', e.entry->>'sender',
    sender_kind(e.entry->>'channel', e.entry->>'sender'), sender_address(e.entry->>'channel', e.entry->>'sender'),
    coalesce(c.unit_id, (e.entry->>'unitId')::uuid), c.platform_channel_id, c.adapter = 'simulator',
    row_number() OVER (PARTITION BY e.entry->>'channel', sender_address(e.entry->>'channel', e.entry->>'sender')
      ORDER BY e.position) > 1
  FROM jsonb_array_elements(c.senders) WITH ORDINALITY AS e(entry, position)
  WHERE e.entry->>'channel' IS NOT NULL AND e.entry->>'sender' IS NOT NULL
$$;
