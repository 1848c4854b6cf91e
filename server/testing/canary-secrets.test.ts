import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Secret, TOTP } from "otpauth";
import type * as Pino from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { makePasswordLink } from "../access/password-links.ts";
import { loadSession, sessionCtx } from "../access/sessions.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import type { AdapterName } from "../adapters/adapter.ts";
import { adapterNameSchema } from "../adapters/schemas.ts";
import { inTenant } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import { addChannel } from "../platform/change-channels.ts";
import { channelAddSchema } from "../platform/schemas.ts";
import { toTrpcError, errorFacts } from "../trpc/errors.ts";
import { appRouter } from "../trpc/root.ts";
import { createWebhookDeliverer } from "../webhooks/deliver-webhook.ts";
import { testDatabase } from "./database.ts";
import { restClient } from "./rest-client.ts";
import { makeSendingWorld, sendBody } from "./sending-world.ts";

/*
 * A canary in every kind of secret that the product stores. Then what can go wrong with them does, at a provider and a receiver
 * that repeat what they were sent, and they are looked for in all that others can read.
 */

const installation = vi.hoisted(() => {
  const aiKey = `canary-ai-${Math.random().toString(36).slice(2)}`;
  // Read before anything asks for it; the service of this key is not there.
  Object.assign(process.env, {
    OUTBOUND_ALLOW: "127.0.0.0/8",
    AI_MODEL: "m",
    AI_API_KEY: aiKey,
    AI_BASE_URL: "http://127.0.0.1:9/v1",
  });
  return { aiKey };
});

/** Every line that the service logs here, at any level. */
const lines: string[] = [];
vi.mock("pino", async (importOriginal) => {
  const original = await importOriginal<typeof Pino>();
  return {
    ...original,
    pino: Object.assign(
      (options: object) =>
        original.pino({ ...options, level: "trace" }, { write: (line: string) => void lines.push(line) }),
      { stdTimeFunctions: original.pino.stdTimeFunctions },
    ),
  };
});

const database = await testDatabase();
const world = await makeSendingWorld(database, { settings: { ai: { allowWithoutAi: true } } });
const { tenant } = world;
const rest = restClient(database.web);

/** Repeats everything that it is sent, and refuses it. */
const repeater = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const authorization = request.headers.authorization ?? "";
    const decoded = Buffer.from(authorization.replace(/^Basic /, ""), "base64").toString("latin1");
    const body = Buffer.concat(chunks).toString();
    const said = `not allowed: ${decoded} ${JSON.stringify(request.headers)} ${request.url ?? ""} ${body}`;
    heard.push(said);
    response.writeHead(401, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ message: said, code: said, error: { message: said, code: 190 }, detail: said }),
    );
  });
}).listen(0, "127.0.0.1");
const heard: string[] = [];
await once(repeater, "listening");
afterAll(() => repeater.close());
const there = `http://127.0.0.1:${String((repeater.address() as AddressInfo).port)}`;

/** All secrets, by what they are. */
const secrets = new Map<string, string>([
  ["the AI service's key", installation.aiKey],
  ["the master key", env().secretKey ?? ""],
]);
function canary(what: string, shape: (random: string) => string = (random) => `canary-${random}`): string {
  const secret = shape(randomBytes(16).toString("hex"));
  secrets.set(secrets.has(what) ? `${what}, another one` : what, secret);
  return secret;
}
const keep = (what: string, secret: string): string => {
  expect(secret.length, what).toBeGreaterThan(8);
  secrets.set(what, secret);
  return secret;
};
/** A private key; what is looked for is a line from its middle. */
function privateKey(what: string): string {
  const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = key.export({ type: "pkcs8", format: "pem" }) as string;
  keep(what, pem.split("\n")[5] ?? "");
  return pem;
}

const sender = "+4930123456";
const mailSender = "shop@tidings.example";
/** What is tried one after the other. */
const texts: readonly string[] = ["twilio", "http", "infobip", "vonage"];
const mails: readonly string[] = ["resend", "sendgrid", "ses", "smtp"];
/** A connection of each kind to the server that repeats. */
const connections: Record<Exclude<AdapterName, "simulator">, () => Record<string, unknown>> = {
  smtp: () => ({
    settings: {
      host: "127.0.0.1",
      port: 9,
      security: "none",
      dkim: { domain: "tidings.example", selector: "s1" },
    },
    credentials: {
      user: "shop",
      password: canary("the password of SMTP"),
      dkimPrivateKey: privateKey("the DKIM key"),
    },
  }),
  sendgrid: () => ({
    settings: { baseUrl: there, region: "global" },
    credentials: { apiKey: canary("SendGrid's key") },
  }),
  ses: () => ({
    settings: { baseUrl: there, region: "eu-central-1" },
    credentials: { accessKeyId: "AKIA1234567890ABCDEF", secretAccessKey: canary("the key of SES") },
  }),
  resend: () => ({
    settings: { baseUrl: there },
    credentials: {
      apiKey: canary("Resend's key"),
      webhookSecret: canary("Resend's webhook secret", (random) => `whsec_${random}`),
    },
  }),
  microsoft365: () => ({
    settings: { baseUrl: there, tenantId: newId(), clientId: newId() },
    credentials: { clientSecret: canary("the secret of Microsoft 365") },
  }),
  twilio: () => ({
    settings: { baseUrl: there },
    credentials: { accountSid: `AC${"1a".repeat(16)}`, authToken: canary("Twilio's token") },
  }),
  vonage: () => ({
    settings: { baseUrl: there, region: "eu" },
    credentials: {
      applicationId: newId(),
      privateKey: privateKey("Vonage's private key"),
      signatureSecret: canary("Vonage's signature secret"),
      apiKey: "abcd1234",
      apiSecret: canary("Vonage's API secret"),
    },
  }),
  infobip: () => ({
    settings: { baseUrl: there },
    credentials: {
      apiKey: canary("Infobip's key"),
      callbackSecret: canary("Infobip's callback secret"),
    },
  }),
  meta: () => ({
    settings: { baseUrl: there, phoneNumberId: "106540352242922" },
    credentials: {
      accessToken: canary("Meta's token"),
      appSecret: canary("Meta's app secret"),
      verifyToken: canary("Meta's verify token"),
    },
  }),
  smpp: () => ({
    settings: { host: "127.0.0.1", port: 9, security: "none" },
    credentials: { systemId: "shop", password: canary("the password of SMPP") },
  }),
  http: () => ({
    settings: {
      url: `${there}/send`,
      headers: "Authorization: Bearer {{ secrets.apiKey }}\nX-Key: {{ secrets.apiKey }}",
      body: "{}",
    },
    credentials: {
      secrets: `apiKey = ${canary("the secret of an HTTP connection")}`,
      callbackSecret: canary("the callback secret of an HTTP connection"),
    },
  }),
};

/** Where these process data follows from their settings. */
const saysWhere = new Set<AdapterName>(["sendgrid", "ses", "resend", "twilio", "vonage"]);

/** What callers are told: answers of reading, and errors. */
const told: string[] = [];
const failed: string[] = [];
async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    failed.push(`${what}: ${String(error)}`);
    told.push(JSON.stringify(errorFacts(toTrpcError(error), newId())));
    return undefined;
  }
}

/** Everything that is stored, as a dump would have it; bytes in hex. */
async function dump(): Promise<string> {
  const { rows } = await database.owner.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  );
  const parts: string[] = [];
  for (const { name } of rows) {
    const found = await database.owner.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
    parts.push(...found.rows.map(({ row }) => row));
  }
  return parts.join("\n");
}

function expectNone(text: string, where: string): void {
  for (const [what, secret] of secrets) {
    const bytes = Buffer.from(secret);
    const spelled = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      bytes.toString("hex"),
      bytes.toString("base64").replace(/.=*$/, ""),
      bytes.toString("base64url").slice(0, -1),
    ];
    for (const spelling of spelled) expect(text.includes(spelling), `${what} in ${where}`).toBe(false);
  }
}

test("no secret stands in a log line, a dump of the database, a job, an error or what anybody can read", async () => {
  // People.
  const password = canary("a password");
  const { id: userId, email } = await tenant.addMember("owner", { password });
  const name = await signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password,
    ip: "198.51.100.7",
    userAgent: "test",
    requestId: newId(),
  });
  const session = (await loadSession(database.web, name))!;
  const caller = (requestId = newId()) =>
    appRouter.createCaller({
      requestId,
      session,
      tidings: sessionCtx(database.web, session, requestId),
    });
  const portal = caller();
  const { secret } = await portal.secondFactor.start({ password });
  keep("the secret of a second factor", secret);
  secrets.set("the same as bytes", Buffer.from(Secret.fromBase32(secret).bytes).toString("hex"));
  const code = TOTP.generate({ secret: Secret.fromBase32(secret) });
  const { recoveryCodes } = await portal.secondFactor.confirm({ code });
  recoveryCodes.forEach((each, index) => keep(`recovery code ${String(index)}`, each));
  const link = await inTenant(tenant.system, (tx) => makePasswordLink(tenant.system, tx, userId));
  keep("the token of a link for a password", link.token);
  const invited = await portal.members.invite({
    email: "nia@people.example",
    name: "Nia",
    assignments: [{ role: "finance", unitId: null }],
  });
  keep("the token of an invitation", (invited as { link: string }).link.split("#")[1] ?? "");

  // Systems.
  const production = tenant.environments.production;
  const key = await portal.apiKeys.create({ name: "Key", environmentId: production });
  keep("an API key", (key as { key: string }).key);
  const agent = await portal.apiKeys.create({
    name: "Agent",
    environmentId: production,
    agent: { recipients: ["+49151*"], hourlyCap: 5, laterStages: true },
  });
  keep("an agent's key", (agent as { key: string }).key);
  keep("a directory's token", (await portal.directory.createToken({ name: "Entra" })).token);
  const hook = await portal.webhooks.create({
    application: "shop",
    environmentId: production,
    url: `${there}/hook`,
  });
  keep("a webhook's secret", hook.secret);
  keep("a webhook's next secret", (await portal.webhooks.rotateSecret({ id: hook.id })).secret);
  await portal.links.updateShortener({
    environment: "production",
    kind: "bitly",
    secret: canary("the shortener's token"),
    processingRegion: "EU",
    baseUrl: there,
  });
  await portal.residency.update({ allowedTransferRegions: ["US"], reason: "Contract" });
  const made: Partial<Record<string, string>> = {};
  for (const provider of adapterNameSchema.options) {
    if (provider === "simulator") continue;
    const settings = connections[provider]();
    const { id } = await portal.providers.create({
      name: `At ${provider}`,
      provider,
      ...(saysWhere.has(provider) ? {} : { processingRegion: "EU" }),
      ...settings,
      ...(provider === "http" ? { channels: ["sms" as const] } : {}),
      ...(texts.includes(provider) ? { senders: [{ channel: "sms" as const, sender }] } : {}),
      ...(mails.includes(provider) ? { senders: [{ channel: "email" as const, sender: mailSender }] } : {}),
    });
    made[provider] = id;
  }
  const channel = channelAddSchema.parse({
    name: "own",
    provider: "smpp",
    settings: { host: "127.0.0.1", port: 9, security: "none" },
    credentials: { systemId: "own", password: canary("the password of an operator's channel") },
    processingRegion: "EU",
  });
  await addChannel({ owner: database.owner }, channel);

  // Now everything is used, and nothing works.
  for (const id of Object.values(made)) {
    told.push(JSON.stringify(await attempt("test", () => portal.providers.test({ id: id ?? "" }))));
  }
  told.push(
    JSON.stringify(
      await attempt("shorten", () =>
        portal.links.testShortener({ environment: "production", url: "https://example.com/a" }),
      ),
    ),
  );
  const tiers = (of: readonly string[]) => of.map((each) => [made[each] ?? ""]);
  await world.addRule("production", tiers(texts), { channel: "sms" });
  await world.addRule("production", tiers(mails), { channel: "email" });
  heard.length = 0;
  const accepted = await rest.post("/api/app/notifications/send", {
    key: (key as { key: string }).key,
    json: sendBody({
      recipients: [
        { channel: "sms", recipient: "+4915112345678" },
        { channel: "email", recipient: "ada@example.com" },
      ],
    }),
  });
  expect(accepted.status, accepted.text).toBe(202);
  told.push(accepted.text);
  const messages = (accepted.body as { notifications: { notificationId: string }[] }).notifications;
  expectNone(await dump(), "the database before the jobs");
  await world.runJobs();
  // Sent through each, and refused with all that it held.
  for (const of of ["Twilio's token", "the secret of an HTTP connection", "Infobip's key", "Resend's key"]) {
    expect(heard.join("\n"), of).toContain(secrets.get(of));
  }
  const deliverer = createWebhookDeliverer({
    db: database.worker,
    outbound: createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "Tidings tests" }),
  });
  const { rows: deliveries } = await database.owner.query<{ id: string }>(
    "SELECT id FROM webhook_deliveries",
  );
  expect(deliveries.length).toBeGreaterThan(0);
  for (const { id } of deliveries) await deliverer.deliver({ tenantId: tenant.tenantId, deliveryId: id });
  await deliverer.settled();

  // Wrong in every way, with the secrets in what is wrong.
  const odd = (what: string) => `${secrets.get(what) ?? ""}x`;
  for (const given of [odd("an API key"), odd("an agent's key"), odd("a directory's token")]) {
    const answer = await rest.post("/api/app/notifications/send", { key: given, json: {} });
    expect(answer.status).toBe(401);
    told.push(answer.text);
  }
  const wrong = { ...connections.http(), settings: { url: "nonsense", odd: 1 } };
  await attempt("wrong settings", () =>
    portal.providers.create({ name: "x", provider: "http", processingRegion: "EU", ...wrong }),
  );
  await attempt("wrong password", () =>
    portal.sessions.changePassword({ current: canary("a wrong password"), next: canary("a new password") }),
  );
  await attempt("wrong code", () => portal.secondFactor.remove({ password, code: "000000" }));
  await attempt("moderation", () => portal.moderation.check({ channel: "sms", body: "Hello" } as never));
  await expect(
    signInWithPassword(database.web, {
      organisation: tenant.slug,
      email,
      password: canary("another wrong password"),
      ip: "198.51.100.7",
      userAgent: "test",
      requestId: newId(),
    }),
  ).rejects.toThrow();

  // What the portal's pages are drawn from: each procedure that reads, with what it may take.
  let read = 0;
  for (const [path, procedure] of Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
  )) {
    if (procedure._def.type !== "query") continue;
    for (const input of [
      undefined,
      {},
      { environmentId: production },
      { environment: "production" },
      { application: "shop" },
      ...[hook.id, ...Object.values(made), userId].map((id) => ({ id, environmentId: production })),
      ...[hook.id, ...Object.values(made), userId].map((id) => ({ id })),
      ...messages.map(({ notificationId: id }) => ({ id })),
    ]) {
      let target: unknown = caller();
      for (const part of path.split(".")) target = (target as Record<string, unknown>)[part];
      const answer = await attempt(path, () => (target as (given: unknown) => Promise<unknown>)(input));
      if (answer === undefined) continue;
      read++;
      told.push(JSON.stringify(answer));
    }
  }
  expect(read).toBeGreaterThan(60);

  expect(lines.length).toBeGreaterThan(3);
  expect(secrets.size).toBeGreaterThan(30);
  expectNone(lines.join("\n"), "a log line");
  expectNone(told.join("\n"), "what somebody is told");
  expectNone(await dump(), "the database");
}, 60_000);
