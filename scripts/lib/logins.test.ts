import { afterAll, expect, test, vi } from "vitest";
import { checkRole, databaseUrl, openDb } from "../../server/kernel/db.ts";
import { testDatabase } from "../../server/testing/database.ts";
import { makeTenant } from "../../server/testing/factories.ts";
import { givenLogins, ownLogins } from "./database.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
await tenant.addSimulator();
const urls = await ownLogins(database.ownerUrl, {
  webPassword: "w".repeat(32),
  workerPassword: "x".repeat(32),
});
const web = openDb("web", urls.webUrl, { poolSize: 1 });
const worker = openDb("worker", urls.workerUrl, { poolSize: 1 });
const logins = [urls.webUrl, urls.workerUrl].map((url) => new URL(url).username);
afterAll(async () => {
  await Promise.all([web.close(), worker.close()]);
  for (const login of logins) await database.owner.query(`DROP ROLE ${login}`);
});

test("the processes' own logins work under their roles", async () => {
  for (const [db, role] of [
    [web, "tidings_web"],
    [worker, "tidings_worker"],
  ] as const) {
    const { rows } = await db.pool.query("SELECT current_user::text AS role");
    expect(rows).toEqual([{ role }]);
  }
  const { rows } = await worker.pool.query("SELECT id FROM tenants");
  expect(rows).toEqual([{ id: tenant.tenantId }]);
});

test("no statement gains more than its role's rights", async () => {
  const { rows } = await database.owner.query<{ owner: string }>("SELECT current_user AS owner");
  for (const [db, other] of [
    [web, "tidings_worker"],
    [worker, "tidings_web"],
  ] as const) {
    const client = await db.pool.connect();
    try {
      await client.query("SET ROLE NONE");
      for (const statement of [
        "SELECT * FROM tenants",
        "UPDATE tenants SET data_region = 'US'",
        "SELECT find_sign_in('a', 'b', 'c')",
        `SET ROLE ${rows[0]!.owner}`,
        `SET ROLE ${other}`,
        `SET SESSION AUTHORIZATION ${rows[0]!.owner}`,
        "CREATE TABLE mine (id int)",
        "ALTER ROLE tidings_web SUPERUSER",
      ]) {
        await expect(client.query(statement), statement).rejects.toThrow(
          /permission denied|must be|only roles/i,
        );
      }
    } finally {
      client.release(true);
    }
  }
});

test("logins are created once; a new password is set", async () => {
  const again = await ownLogins(database.ownerUrl, {
    webPassword: "w".repeat(32),
    workerPassword: "y".repeat(32),
  });
  expect(again.webUrl).toBe(urls.webUrl);
  const second = openDb("worker", again.workerUrl, { poolSize: 1 });
  await second.pool.query("SELECT 1");
  await second.close();
});

test("in production a process does not run with the owner's login unless that is allowed", () => {
  const config = {
    webDatabaseUrl: undefined,
    workerDatabaseUrl: undefined,
    databaseUrl: "postgres://owner@db/tidings",
    nodeEnv: "production",
    allowOwnerLogin: false,
  };
  for (const role of ["web", "worker"] as const) {
    expect(() => databaseUrl(role, config)).toThrow(/_DATABASE_URL to a login of its own/);
    expect(databaseUrl(role, { ...config, allowOwnerLogin: true })).toBe(config.databaseUrl);
    expect(databaseUrl(role, { ...config, nodeEnv: "development" })).toBe(config.databaseUrl);
  }
  expect(databaseUrl("web", { ...config, webDatabaseUrl: "postgres://web@db/tidings" })).toBe(
    "postgres://web@db/tidings",
  );
  expect(() => databaseUrl("web", { ...config, databaseUrl: undefined })).toThrow(/set DATABASE_URL/);
});

test("logins that are described by their addresses are made with their passwords, and again change nothing else", async () => {
  const suffix = logins[0]?.split("_").at(-1) ?? "";
  const given = (part: string, password: string) => {
    const url = new URL(database.ownerUrl);
    Object.assign(url, { username: `described_${part}_${suffix}`, password });
    return url.href;
  };
  vi.stubEnv("WEB_DATABASE_URL", given("web", "one/two"));
  vi.stubEnv("WORKER_DATABASE_URL", given("worker", "three"));
  vi.stubEnv("CONSOLE_DATABASE_URL", undefined);
  const names = [`described_web_${suffix}`, `described_worker_${suffix}`];
  for (let times = 0; times < 2; times++) expect(await givenLogins(database.ownerUrl)).toEqual(names);
  // As behind a pooler: without options, the login becomes its role by itself.
  const described = openDb("web", `${given("web", "one/two")}?pgbouncer=true`, { poolSize: 1 });
  await checkRole(described);
  // Nor is anything prepared by name, which the next session would not know, or know of somebody else.
  await described.pool.query({ name: "by_name", text: "SELECT 1" });
  const prepared = await described.pool.query("SELECT name FROM pg_prepared_statements");
  expect(prepared.rows).toEqual([]);
  await described.close();
  await database.owner.query(`ALTER ROLE described_web_${suffix} RESET role`);
  const wrong = openDb("web", `${given("web", "one/two")}?pgbouncer=true`, { poolSize: 1 });
  await expect(checkRole(wrong)).rejects.toThrow(
    /WEB_DATABASE_URL works as described_web_\w+ instead of tidings_web/,
  );
  await wrong.close();
  vi.stubEnv("WEB_DATABASE_URL", database.ownerUrl);
  await expect(givenLogins(database.ownerUrl)).rejects.toThrow(/names the owner's login/);
  vi.unstubAllEnvs();
  for (const name of names) await database.owner.query(`DROP ROLE ${name}`);
});
