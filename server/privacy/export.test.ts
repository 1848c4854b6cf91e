import { expect, test } from "vitest";
import { recordConsent } from "../consent/record-consent.ts";
import { contactCreateSchema } from "../contacts/schemas.ts";
import { createContact } from "../contacts/write-contact.ts";
import { inTenant } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { makeAlphasThings, plantRecipient } from "../testing/alphas-things.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { exportRecipient, findRecipient, prepareExport } from "./recipient.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant } = world;
const things = await makeAlphasThings(database, world);
await plantRecipient(database, tenant.tenantId, things);
const address = "+4915112345678";
const owner = tenant.as("owner");

async function read(ctx = owner, ticket?: string) {
  const file = await exportRecipient(ctx, {
    ticket: ticket ?? (await prepareExport(ctx, { address })).ticket,
  });
  const pieces = [file.first];
  for await (const piece of file.rest) pieces.push(piece);
  return { pieces, document: JSON.parse(pieces.join("")) as Record<string, unknown[]> };
}

test("the file has everything that is held about the recipient, and nothing of anybody else", async () => {
  await inTenant(tenant.system, (tx) =>
    recordConsent(tenant.system, tx, {
      sandbox: false,
      channel: "sms",
      address,
      state: "opted_out",
      source: "keyword",
    }),
  );
  await createContact(
    tenant.system,
    contactCreateSchema.parse({
      name: "Ada",
      attributes: { plan: "gold" },
      addresses: [{ channel: "sms", address }],
    }),
  );
  await createContact(tenant.system, contactCreateSchema.parse({ name: "bobs", externalId: "bob" }));
  await world.send({
    recipients: [{ channel: "sms", recipient: "+4915187654321", variables: { code: "bobs" } }],
  });
  const { document } = await read();
  expect(document).toMatchObject({ format: "tidings-recipient-export/1", address, complete: true });
  expect(document.messages).toMatchObject([
    {
      recipient: address,
      variables: { code: "planted-text" },
      request: { metadata: { customer: address } },
      links: [{ url: "https://shop.example/?to=4915112345678" }],
      attempts: [{ number: 1 }],
    },
  ]);
  expect(document.conversations).toMatchObject([{ address, messages: [{ text: "planted-text" }] }]);
  expect(document.consent).toMatchObject([{ kind: "consent", state: "opted_out" }]);
  expect(document.contacts).toMatchObject([
    { name: "Ada", attributes: { plan: "gold" }, addresses: [{ channel: "sms", address }], groups: [] },
  ]);
  expect(JSON.stringify(document)).not.toMatch(/bobs|4915187654321/);
  const { counts } = await findRecipient(owner, { address: "+49 151 123-45678" });
  const of = (kind: string) => counts.find((one) => one.kind === kind)?.count;
  expect(
    ["messages", "conversations", "inboundMessages", "shortLinks", "consentEntries", "contacts"].map(of),
  ).toEqual([1, 1, 1, 1, 1, 1]);
});

test("a page of it is in memory at a time, whatever the length", async () => {
  const many = await makeSendingWorld(database);
  for (let at = 0; at < 230; at++) await many.send({ templateVariables: [{ code: `number-${String(at)}` }] });
  const { pieces, document } = await read(many.tenant.as("owner"));
  expect(document.messages).toHaveLength(230);
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(200_000);
});

test("has every consent of a long history, page by page", async () => {
  const many = await makeSendingWorld(database);
  const { tenantId } = many.tenant;
  await database.owner.query(
    `INSERT INTO consent_entries (tenant_id, id, sandbox, channel, address, class, state, source, item_id, at)
     SELECT $1, gen_random_uuid(), false, 'sms', $2, 'marketing', 'opted_in', 'api', 'item-' || n, now() - n / 3 * interval '1 minute'
     FROM generate_series(1, 10500) n`,
    [tenantId, address],
  );
  const { pieces, document } = await read(many.tenant.as("owner"));
  const items = document.consent as { item_id: string }[];
  expect(new Set(items.map(({ item_id }) => item_id)).size).toBe(10_500);
  expect(items).toHaveLength(10_500);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000);
});

test("has every event of a message whose link was opened again and again", async () => {
  const often = await makeSendingWorld(database);
  const id = messageId(await often.send());
  await database.owner.query(
    `INSERT INTO notification_events (tenant_id, notification_id, sequence, type, at)
     SELECT $1, $2, n, 'clicked', now() FROM generate_series(10, 1260) n`,
    [often.tenant.tenantId, id],
  );
  const { document } = await read(often.tenant.as("owner"));
  const [message] = document.messages as { events: { sequence: number }[]; webhooks: object[] }[];
  expect(message?.events.map(({ sequence }) => sequence)).toEqual([
    1,
    ...Array.from({ length: 1_251 }, (_, index) => index + 10),
  ]);
  expect(message?.webhooks).toEqual([]);
});

test("the link is for who asked for it, for ten minutes, and shows no address; both steps are in the audit trail", async () => {
  const { ticket } = await prepareExport(owner, { address });
  expect(Buffer.from(ticket, "base64url").toString("latin1")).not.toContain("15112345678");
  expect((await refusal(exportRecipient(tenant.as("owner"), { ticket }))).code).toBe("not_found");
  const later = { ...owner, now: () => new Date(Date.now() + 11 * 60_000) };
  expect((await refusal(exportRecipient(later, { ticket }))).code).toBe("not_found");
  expect((await refusal(exportRecipient(owner, { ticket: "nonsense" }))).code).toBe("not_found");
  const before = await entries();
  await read(owner, ticket);
  expect(await entries()).toEqual([...before, "recipient.exported"]);
});

async function entries(): Promise<string[]> {
  const { rows } = await database.owner.query<{ action: string; text: string }>(
    "SELECT action, e::text AS text FROM audit_events e WHERE tenant_id = $1 AND target_type = 'recipient' ORDER BY id",
    [tenant.tenantId],
  );
  for (const { text } of rows) expect(text).not.toContain("15112345678");
  return rows.map(({ action }) => action);
}

test("without content:reveal there is no export; one at a time in an organisation", async () => {
  const masked = {
    ...tenant.as("administrator"),
    grants: [
      { permissions: new Set(["settings:manage"]), unitId: null, applicationId: null, environmentId: null },
    ],
  };
  expect((await refusal(prepareExport(masked, { address }))).code).toBe("permission_denied");
  const first = await exportRecipient(owner, { ticket: (await prepareExport(owner, { address })).ticket });
  const { ticket } = await prepareExport(owner, { address });
  expect((await refusal(exportRecipient(owner, { ticket }))).code).toBe("rate_limited");
  await first.rest.return(undefined);
  await read(owner, ticket);
});
