import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openOperatorSecret, sealOperatorSecret } from "../access/operator-secret.ts";
import { sealChannelCredentials, openChannelCredentials } from "../connections/channel-credentials.ts";
import { createProvider } from "../connections/create-provider.ts";
import { credentialsContext, forgetConnections, tenantConnections } from "../connections/load-connection.ts";
import { selectSealedConnection } from "../connections/queries.ts";
import { providerCreateSchema, providerUpdateSchema } from "../connections/schemas.ts";
import { updateProvider } from "../connections/update-provider.ts";
import { newId } from "../kernel/ids.ts";
import { openText, replaceMasterKeys, sealText } from "../kernel/secrets.ts";
import type { MasterKeys } from "../kernel/secrets.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { rotateWebhookSecret } from "../webhooks/rotate-webhook-secret.ts";
import { openSigningSecret } from "../webhooks/signing-secret.ts";
import { portionRows, sealedFields } from "./queries.ts";
import { checkKeys, rotateDataKeys, rotateMasterKey } from "./rotate-keys.ts";

const database = await testDatabase();
const both = { db: database.worker, owner: database.owner };
const fake = await startFakeTwilio();
const newKey = () => randomBytes(32);
let keys: MasterKeys = { current: newKey(), previous: [] };
const use = (next: MasterKeys) => {
  keys = next;
  replaceMasterKeys(next);
};
beforeAll(() => use(keys));
afterAll(async () => {
  replaceMasterKeys(undefined);
  await fake.close();
});

async function makeWorld() {
  const world = await makeSendingWorld(database);
  const owner = world.tenant.as("owner");
  const twilio = await world.addTwilio(fake.baseUrl);
  await world.addRule("production", [[twilio.id]]);
  const endpoint = await createWebhookEndpoint(world.tenant.system, {
    environmentId: world.tenant.environments.production,
    application: "shop",
    url: "https://8.8.8.8/hooks",
    events: ["notification.failed"],
  });
  return { ...world, owner, twilio, endpoint };
}

const storedSecret = async (endpointId: string) => {
  const { rows } = await database.owner.query<{
    tenant_id: string;
    secret: Buffer;
    previous_secret: Buffer | null;
    data_key: Buffer;
  }>(
    "SELECT e.tenant_id, e.secret, e.previous_secret, t.data_key FROM webhook_endpoints e JOIN tenants t ON t.id = e.tenant_id WHERE e.id = $1",
    [endpointId],
  );
  const row = rows[0];
  if (!row) throw new Error("no such endpoint");
  const open = (box: Buffer) => openSigningSecret(row.tenant_id, row.data_key, endpointId, box);
  return { secret: open(row.secret), previous: row.previous_secret && open(row.previous_secret) };
};

test("while keys are rotated again and again, reading, sending and writing never fail", async () => {
  const world = await makeWorld();
  const { owner, twilio, endpoint, tenantId } = world;
  const made = await createProvider(
    owner,
    providerCreateSchema.parse({
      name: "Changing",
      provider: "twilio",
      credentials: { accountSid: `AC${"a".repeat(32)}`, authToken: "token-0" },
      settings: { region: "ie1" },
    }),
  );
  // A function, because TypeScript does not see that a loop's failure ends the others.
  let ended = false;
  const running = () => !ended;
  const rounds = { read: 0, send: 0, write: 0, sign: 0 };
  const loop = async (name: keyof typeof rounds, work: (round: number) => Promise<void>) => {
    while (running()) {
      await work(rounds[name]);
      rounds[name] += 1;
      await pause(1);
    }
  };
  const loops = [
    loop("read", async () => {
      const row = await selectSealedConnection(world.tenant.worker, twilio.id);
      if (!row) throw new Error("it is gone");
      const text = openText(tenantId, row.dataKey, credentialsContext(twilio.id), row.credentials);
      expect(JSON.parse(text)).toMatchObject({ authToken: twilio.authToken });
      forgetConnections(tenantId);
      expect((await tenantConnections(world.tenant.worker)).size).toBe(2);
    }),
    loop("send", async () => {
      const id = messageId(await world.send());
      await world.runJobs();
      expect((await world.notification(id)).status).toBe("sent");
    }),
    loop("write", async (round) => {
      const authToken = `token-${String(round + 1)}`;
      await updateProvider(owner, {
        id: made.id,
        changes: providerUpdateSchema.parse({ credentials: { authToken } }),
      });
      forgetConnections(tenantId);
      const used = (await tenantConnections(world.tenant.worker)).get(made.id);
      expect(used?.connection.credentials).toMatchObject({ authToken });
    }),
    loop("sign", async (round) => {
      const before = await storedSecret(endpoint.id);
      // A day later each time: an endpoint keeps few old secrets at once.
      const now = () => new Date(Date.now() + round * 86_400_000);
      const { secret } = await rotateWebhookSecret({ ...owner, now }, { id: endpoint.id });
      expect(await storedSecret(endpoint.id)).toEqual({ secret, previous: before.secret });
    }),
  ];
  const all = Promise.all(loops);
  // Its failure is reported below, after the loops were asked to end.
  all.catch(() => (ended = true));
  const beforeKeys = new Set<string>();
  for (let round = 0; round < 4 && running(); round += 1) {
    const seen = { ...rounds };
    use({ current: newKey(), previous: [keys.current, ...keys.previous] });
    expect((await rotateMasterKey(both)).unreadable).toEqual([]);
    for (let again = 0; again < 3; again += 1) expect((await rotateDataKeys(both)).unreadable).toEqual([]);
    const { rows } = await database.owner.query<{ key: string }>(
      "SELECT encode(data_key, 'hex') AS key FROM tenants WHERE id = $1",
      [tenantId],
    );
    beforeKeys.add(rows[0]?.key ?? "");
    // Every loop has worked under these keys before they change.
    await expect
      .poll(
        () => !running() || Object.entries(rounds).every(([name, n]) => n > seen[name as keyof typeof seen]),
        {
          timeout: 60_000,
        },
      )
      .toBe(true);
  }
  ended = true;
  await all;
  expect(beforeKeys.size).toBe(4);
  // Nothing needs a previous key any more.
  use({ current: keys.current, previous: [] });
  const checked = await checkKeys(both);
  expect(checked).toMatchObject({ keys: 0, unreadable: [] });
  expect(checked.fields).toBeGreaterThanOrEqual(4);
}, 180_000);

test("removing a previous master key too early is reported, and nothing is lost", async () => {
  const { tenantId, twilio } = await makeWorld();
  const lost = keys;
  use({ current: newKey(), previous: [] });
  const before = await database.owner.query("SELECT id, data_key FROM tenants ORDER BY id");
  expect((await checkKeys(both)).unreadable).toContain(`tenants:${tenantId}`);
  expect((await rotateMasterKey(both)).unreadable).toContain(`tenants:${tenantId}`);
  expect((await rotateDataKeys(both)).unreadable).toContain(`tenants:${tenantId}`);
  const after = await database.owner.query("SELECT id, data_key FROM tenants ORDER BY id");
  expect(after.rows).toEqual(before.rows);
  use({ current: keys.current, previous: [lost.current] });
  expect((await checkKeys(both)).unreadable).toEqual([]);
  await rotateMasterKey(both);
  // A second run finds nothing left to do.
  expect(await rotateMasterKey(both)).toMatchObject({ keys: 0, channels: 0 });
  use({ current: keys.current, previous: [] });
  forgetConnections(tenantId);
  const database2 = await selectSealedConnection({ db: database.worker, tenantId }, twilio.id);
  expect(database2).toBeDefined();
  expect((await checkKeys(both)).unreadable).toEqual([]);
});

test("what cannot be opened is reported and left as it is, while the rest gets its new key", async () => {
  const { tenantId, twilio, addTwilio } = await makeWorld();
  const broken = await addTwilio(fake.baseUrl);
  await database.owner.query("UPDATE provider_connections SET credentials = '\\x0102' WHERE id = $1", [
    broken.id,
  ]);
  const seen: string[] = [];
  const count = await rotateDataKeys(both, { onTenant: (id) => seen.push(id) });
  expect(count.unreadable).toEqual([`provider_connections:${broken.id} credentials`]);
  expect(seen).toContain(tenantId);
  const row = await selectSealedConnection({ db: database.worker, tenantId }, twilio.id);
  expect(openText(tenantId, row!.dataKey, credentialsContext(twilio.id), row!.credentials)).toContain(
    twilio.authToken,
  );
  // Continuing after a tenant leaves it and those before it alone.
  const rest = await rotateDataKeys(both, { after: seen.at(-1) ?? null });
  expect(rest.tenants).toBe(0);
  await database.owner.query("DELETE FROM provider_connections WHERE id = $1", [broken.id]);
});

test("what there is much of is sealed again in portions, so that writers wait for a moment only", async () => {
  const { tenantId } = await makeWorld();
  const stored = async () => {
    const { rows } = await database.owner.query<{ id: string; request: Buffer; dataKey: Buffer }>(
      `SELECT a.id, a.request, t.data_key AS "dataKey" FROM tenants t JOIN idempotent_answers a ON a.tenant_id = t.id
       WHERE t.id = $1`,
      [tenantId],
    );
    return rows.map(({ id, request, dataKey }) =>
      openText(tenantId, dataKey, `idempotent_answers:${id}`, request),
    );
  };
  const key = await database.owner.query<{ key: Buffer }>(
    "SELECT data_key AS key FROM tenants WHERE id = $1",
    [tenantId],
  );
  const ids = Array.from({ length: 2 * portionRows + 1 }, newId);
  await database.owner.query(
    `INSERT INTO idempotent_answers (tenant_id, id, api_key_id, key_hash, request, created_at, expires_at)
     SELECT $1, n.id, n.id, uuid_send(n.id), n.request, now(), now() + interval '1 day'
     FROM unnest($2::uuid[], $3::bytea[]) AS n (id, request)`,
    [
      tenantId,
      ids,
      ids.map((id) => sealText(tenantId, key.rows[0]!.key, `idempotent_answers:${id}`, "hash")),
    ],
  );
  const isWrite = (text: unknown) => typeof text === "string" && text.startsWith("UPDATE idempotent_answers");
  const asked = vi.spyOn(pg.Client.prototype, "query");
  expect((await rotateDataKeys(both)).unreadable).toEqual([]);
  const writes = asked.mock.calls.filter(([text]) => isWrite(text));
  asked.mockRestore();
  expect(writes).toHaveLength(3);
  expect(await stored()).toEqual(ids.map(() => "hash"));
  expect((await checkKeys(both)).unreadable).toEqual([]);
  await database.owner.query("DELETE FROM idempotent_answers WHERE tenant_id = $1", [tenantId]);
});

test("the operator's own channels move to the new master key", async () => {
  const id = newId();
  await database.owner.query(
    "INSERT INTO platform_channels (id, name, adapter, channels, credentials, processing_region, updated_at) VALUES ($1, 'House', 'twilio', '{sms}', $2, 'EU', now())",
    [id, sealChannelCredentials(id, { authToken: "house" })],
  );
  use({ current: newKey(), previous: [keys.current] });
  expect((await rotateMasterKey(both)).channels).toBe(1);
  use({ current: keys.current, previous: [] });
  const { rows } = await database.owner.query<{ credentials: Buffer }>(
    "SELECT credentials FROM platform_channels WHERE id = $1",
    [id],
  );
  expect(openChannelCredentials(id, rows[0]!.credentials)).toEqual({ authToken: "house" });
});

test("the secrets of operators' authenticator apps move to the new master key", async () => {
  const id = newId();
  await database.owner.query(
    "INSERT INTO operator_second_factors (operator_id, secret, created_at) VALUES ($1, $2, now())",
    [id, sealOperatorSecret(id, "JBSWY3DPEHPK3PXP")],
  );
  use({ current: newKey(), previous: [keys.current] });
  expect((await checkKeys(both)).operators).toBe(1);
  expect((await rotateMasterKey(both)).operators).toBe(1);
  use({ current: keys.current, previous: [] });
  const { rows } = await database.owner.query<{ secret: Buffer }>(
    "SELECT secret FROM operator_second_factors WHERE operator_id = $1",
    [id],
  );
  expect(openOperatorSecret(id, rows[0]!.secret)).toBe("JBSWY3DPEHPK3PXP");
});

test("a rotation knows every column that holds something sealed", async () => {
  const { rows } = await database.owner.query<{ name: string }>(
    `SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
     JOIN information_schema.columns t ON t.table_name = c.table_name AND t.table_schema = c.table_schema AND t.column_name = 'tenant_id'
     WHERE c.table_schema = 'public' AND c.data_type = 'bytea' ORDER BY 1`,
  );
  const known = sealedFields.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  // Hashes, which no key opens.
  const hashes = new Set([
    "idempotent_answers.key_hash",
    "api_keys.hash",
    "audit_chains.purged_hash",
    "erasures.digest",
    "audit_events.mac",
    "audit_links.hash",
    "idempotency_keys.body_hash",
    // A file that somebody brought, for a few days.
    "export_chunks.data",
    "import_chunks.data",
    "import_marks.data",
    "invitations.token_hash",
    "password_links.hash",
    "scim_tokens.hash",
    "recovery_codes.hash",
    "used_sign_in_states.hash",
    "passkey_challenges.hash",
    // Public, or random and shown to the person's own devices.
    "passkeys.credential_id",
    "passkeys.public_key",
    "users.passkey_handle",
    "brand_logos.digest",
    "brand_logos.picture",
  ]);
  const sealed = rows
    .map(({ name }) => name)
    .filter((name) => name !== "tenants.data_key" && !hashes.has(name));
  expect(sealed.sort()).toEqual(known.sort());
});
