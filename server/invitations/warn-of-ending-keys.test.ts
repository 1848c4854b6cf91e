import { afterAll, expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { rotateApiKey } from "../access/rotate-api-key.ts";
import { revokeApiKey } from "../access/revoke-api-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { warnOfEndingKeys } from "./warn-of-ending-keys.ts";

const database = await testDatabase();
const mail = await startMailServer();
afterAll(() => mail.close());
const day = 86_400_000;

async function makeWorld() {
  const world = await makeSendingWorld(database);
  const { tenant } = world;
  await database.owner.query("DELETE FROM role_assignments WHERE tenant_id = $1", [tenant.tenantId]);
  const smtp = await world.addSmtp(mail.port);
  await world.addRule("production", [[smtp]], { channel: "email" });
  const person = async (role: "developer" | "finance", unitId?: string) => {
    const member = await tenant.addMember(role, unitId === undefined ? {} : { unitId });
    return {
      ...member,
      ctx: {
        ...tenant.as("owner"),
        actor: { type: "user", id: member.id, email: member.email, name: role },
      } satisfies Ctx,
    };
  };
  const key = (ctx: Ctx, days: number) =>
    createApiKey(ctx, {
      name: "Order service",
      environmentId: tenant.environments.production,
      applicationId: tenant.application.id,
      expiresAt: new Date(Date.now() + days * day),
    });
  /** Lets days pass for all keys. */
  const pass = (days: number) =>
    database.owner.query(
      `UPDATE api_keys SET expires_at = expires_at - make_interval(days => $2), created_at = created_at - make_interval(days => $2)
       WHERE tenant_id = $1`,
      [tenant.tenantId, days],
    );
  const run = async () => {
    await warnOfEndingKeys(database.worker);
    await world.runJobs();
  };
  return { ...world, person, key, pass, run };
}
const mailsTo = ({ email }: { email: string }) => mail.received.filter(({ to }) => to.includes(email));

test("whose a key is, and who manages keys there, are warned fourteen and three days before its end, once each", async () => {
  const { person, key, pass, run, tenant } = await makeWorld();
  const owner = await person("finance");
  const manager = await person("developer", tenant.units.alpha);
  const elsewhere = await person("developer", tenant.units.beta);
  await key(owner.ctx, 30);
  await run();
  expect(mailsTo(owner)).toHaveLength(0);
  await pass(17);
  await run();
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
  expect(mailsTo(manager)).toHaveLength(1);
  expect(mailsTo(elsewhere)).toHaveLength(0);
  const text = mailsTo(owner)[0]!.raw.replaceAll(/=\r?\n/g, "");
  expect(text).toContain("Order service");
  expect(text.replaceAll("=3D", "=")).toMatch(/\/api-keys\?env=production/);
  await pass(11);
  await run();
  await run();
  expect(mailsTo(owner)).toHaveLength(2);
  await pass(3);
  await run();
  expect(mailsTo(owner)).toHaveLength(2);
});

test("a process that ends between sending and noting it warns nobody twice", async () => {
  const { person, key, pass, run, tenant } = await makeWorld();
  const owner = await person("developer");
  await key(owner.ctx, 30);
  await pass(17);
  await run();
  await database.owner.query("UPDATE api_keys SET warned_days = NULL WHERE tenant_id = $1", [
    tenant.tenantId,
  ]);
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
});

test("what fails for a passing reason is tried again by the next run, and keeps nobody else's warning", async () => {
  const { person, key, pass, run, tenant } = await makeWorld();
  const owner = await person("developer");
  await key(owner.ctx, 30);
  await pass(17);
  await database.owner.query("REVOKE EXECUTE ON FUNCTION accept_sends FROM tidings_worker");
  try {
    await run();
  } finally {
    await database.owner.query("GRANT EXECUTE ON FUNCTION accept_sends TO tidings_worker");
  }
  const other = await makeWorld();
  const theirs = await other.person("developer");
  await other.key(theirs.ctx, 30);
  await other.pass(18);
  await database.owner.query(
    `CREATE FUNCTION refuse_warning() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON api_keys FOR EACH ROW
       WHEN (NEW.tenant_id = '${other.tenant.tenantId}' AND NEW.warned_days IS NOT NULL) EXECUTE FUNCTION refuse_warning()`,
  );
  await run();
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
  const warned = await database.owner.query("SELECT warned_days FROM api_keys WHERE tenant_id = $1", [
    tenant.tenantId,
  ]);
  expect(warned.rows).toEqual([{ warned_days: 14 }]);
  await database.owner.query("DROP TRIGGER refuse ON api_keys; DROP FUNCTION refuse_warning()");
});

test("keys that were rotated, revoked, made for a short time or never end warn nobody", async () => {
  const { person, key, run, pass, tenant } = await makeWorld();
  const owner = await person("developer");
  const { ctx } = owner;
  const rotated = await key(ctx, 30);
  const revoked = await key(ctx, 30);
  await pass(17);
  await rotateApiKey(ctx, { id: rotated.id, expiresAt: new Date(Date.now() + 90 * day) });
  await revokeApiKey(ctx, { id: revoked.id });
  await key(ctx, 2);
  await createApiKey(ctx, { name: "k", environmentId: tenant.environments.production });
  await run();
  expect(mailsTo(owner)).toHaveLength(0);
  // One of ten days has the second warning alone.
  await key(ctx, 10);
  await run();
  expect(mailsTo(owner)).toHaveLength(0);
  await pass(8);
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
});

test("without e-mail nothing fails, and many keys of one organisation keep nobody else's waiting", async () => {
  const flood = await makeSendingWorld(database);
  const { tenantId, environments } = flood.tenant;
  await database.owner.query(
    `INSERT INTO api_keys (tenant_id, id, name, environment_id, role_id, hash, hint, expires_at, created_at)
     SELECT $1, gen_random_uuid(), 'flood', $2, (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'sender'), '', '',
            now() + interval '1 day', now() - interval '90 days' FROM generate_series(1, 300)`,
    [tenantId, environments.production],
  );
  const { person, key, pass, run } = await makeWorld();
  const owner = await person("developer");
  await key(owner.ctx, 30);
  await pass(20);
  await run();
  expect(mailsTo(owner)).toHaveLength(1);
  const { rows } = await database.owner.query<{ warned: number }>(
    "SELECT count(warned_days)::int AS warned FROM api_keys WHERE tenant_id = $1",
    [tenantId],
  );
  expect(rows[0]?.warned).toBe(20);
});
