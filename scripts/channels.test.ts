import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { metaCredentialsSchema } from "../server/adapters/meta/schemas.ts";
import { smppCredentialsSchema } from "../server/adapters/smpp/schemas.ts";
import { priceListInputSchema } from "../server/connections/schemas.ts";
import { testDatabase } from "../server/testing/database.ts";
import { makeTenant } from "../server/testing/factories.ts";
import { startFakeSmsc } from "../server/testing/fake-smsc.ts";
import { root } from "./lib/paths.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const folder = mkdtempSync(path.join(tmpdir(), "tidings-channels-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secret = JSON.stringify({ systemId: "tidings", password: "secret" });

async function channels(args: string[], options: { input?: string; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, ["scripts/channels.ts", ...args], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: database.ownerUrl,
      OUTBOUND_ALLOW: "127.0.0.1/32",
      ...options.env,
    },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(options.input ?? "");
  const [code] = (await once(child, "close")) as [number];
  expect(output).not.toContain("secret");
  return { code, output };
}

test("an operator adds, tests, gives, lists and takes back a channel without showing a secret", async () => {
  const smsc = await startFakeSmsc();
  afterAll(smsc.close);
  const add = ["add", "Own SMS", "--provider", "smpp", "--region", "EU"];
  const set = ["--set", "host=127.0.0.1", "--set", `port:=${String(smsc.port)}`, "--set", "security=none"];
  const prices = path.join(folder, "prices.json");
  writeFileSync(prices, JSON.stringify([{ channel: "sms", amount: "0.05", currency: "EUR" }]));
  expect(
    await channels([...add, ...set, "--prices", prices, "--credentials", "-"], { input: secret }),
  ).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Own SMS is there[^]*\/api\/callbacks\/[0-9a-f-]{36}/) as string,
  });
  expect(await channels(["test", "Own SMS"])).toMatchObject({
    code: 0,
    output: expect.stringContaining("fake-smsc") as string,
  });
  const give = ["give", "Own SMS", tenant.slug, "--sender", "+4930123456", "--rate", "20"];
  expect(await channels(give)).toMatchObject({ code: 0 });
  expect((await channels(["list"])).output).toContain(`${tenant.slug}: Own SMS  +4930123456`);
  const lend = ["lend", tenant.slug, "Own SMS", "--sender", "+4930123457", "--sender", "DE:"];
  expect(await channels(lend.slice(0, 5))).toMatchObject({ code: 0 });
  expect((await channels(["list"])).output).toContain(`${tenant.slug}: Own SMS  +4930123457\n`);
  expect((await channels(lend)).output).toContain("A number with country code");
  expect(await channels(["take", tenant.slug, "Own SMS"])).toMatchObject({ code: 0 });
  expect((await channels(["list"])).output).not.toContain(tenant.slug);
}, 120_000);

test("what cannot be given or lent is said with what there is", async () => {
  const give = (...args: string[]) => channels(["give", ...args]);
  const none = await give("No such", tenant.slug);
  expect(none).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no channel "No such".') as string,
  });
  expect(none.output).toMatch(/There are ".+"\.|Add one first/);
  const lend = await channels(["lend", tenant.slug, "No such", "--sender", "+4930123456"]);
  expect(lend.output).toContain(`${tenant.slug} has no connection "No such" of yours.`);
  const rate = await give("Own SMS", tenant.slug, "--rate", "many");
  expect(rate).toMatchObject({ code: 1, output: expect.stringContaining("--rate: ") as string });
}, 120_000);

test("the files of docs/own-channels.md are as add takes them, for every provider that is shown", () => {
  const page = readFileSync(path.join(root, "docs/own-channels.md"), "utf8");
  const files = [...page.matchAll(/^`([a-z]+)\.json`[^`]*\n\n(?:<!--.*-->\n)?```json\n([^]*?)\n```/gm)].map(
    ([, name = "", text = ""]) => [name, JSON.parse(text) as unknown] as const,
  );
  expect(files.map(([name]) => name)).toEqual(["account", "meta", "prices"]);
  const schemas = {
    account: smppCredentialsSchema,
    meta: metaCredentialsSchema,
    prices: priceListInputSchema,
  };
  for (const [name, content] of files) {
    const { success, error } = schemas[name as keyof typeof schemas].safeParse(content);
    expect(success, `${name}: ${String(error)}`).toBe(true);
  }
});

test("errors are reported without secrets", async () => {
  const add = ["add", "Broken", "--provider", "smpp", "--region", "EU", "--set", "host=8.8.8.8"];
  const refused = async (args: string[], input: string, env?: Record<string, string>) => {
    const { code, output } = await channels(args, { input, ...(env ? { env } : {}) });
    expect(code).toBe(1);
    return output;
  };
  const stdin = [...add, "--credentials", "-"];
  expect(await refused(stdin, '{"password":"secret')).toContain("Standard input is not JSON");
  expect(await refused(stdin, '{"systemId":"secret","password":7}')).toContain("/credentials/password");
  const stranger = { TIDINGS_SECRET_KEY: randomBytes(32).toString("base64") };
  expect(await refused(stdin, secret, stranger)).toContain("not the key of this installation");
}, 120_000);
