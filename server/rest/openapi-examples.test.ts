import "../testing/local-outbound.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDemo } from "../../prisma/seed/seed.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { systemCtx } from "../access/system-ctx.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { RestContract } from "../operations/operation.ts";
import { permissions } from "../operations/permissions.ts";
import { childEnvironment, startApiServer } from "../testing/api-server.ts";
import { testDatabase } from "../testing/database.ts";
import { fakeSecret, startFakeShortener } from "../testing/fake-shortener.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { restClient } from "../testing/rest-client.ts";
import type { RestAnswer } from "../testing/rest-client.ts";
import { contracts } from "./contracts.ts";
import { answerExamples } from "./examples/answers.ts";
import { ExampleRecorder, recording, sameShape } from "../testing/example-recorder.ts";
import { exampleIds, requestExamples } from "./examples/requests.ts";

/*
 * Every example of the document is tried on the demo tenant of a fresh installation: requests are sent as they are printed,
 * and what is answered has the shape of the printed answer. `RECORD_EXAMPLES=1 npx vitest run
 * server/rest/openapi-examples.test.ts` writes examples/answers.json anew.
 */

const api = await startApiServer();
const database = await testDatabase();
api.serve(database.web);
const rest = restClient(database.web);
const recorder = new ExampleRecorder(api.url);
/** What each operation answered when its example was sent. */
const answered = new Map<string, RestAnswer>();
const cleanUps: (() => unknown)[] = [() => api.close()];

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const contractOf = (operationId: string): RestContract => {
  const found = contracts.find((contract) => contract.operationId === operationId);
  if (!found) throw new Error(`There is no operation ${operationId}`);
  return found;
};

interface Call {
  key: string;
  params?: Record<string, string>;
  query?: string;
  /** Values for the ids of examples. */
  ids?: Partial<Record<keyof typeof exampleIds, string>>;
  /** Instead of the example: a step that only prepares others. */
  json?: unknown;
}

/** Sends the example of an operation, or with `json` something of its own; fails unless it is answered with success. */
async function send<Body = { id: string }>(operationId: string, call: Call): Promise<Body> {
  const contract = contractOf(operationId);
  const { key, params = {}, query, ids = {} } = call;
  const place = contract.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "missing");
  const example = "json" in call ? call.json : requestExamples[operationId];
  let text = example === undefined ? undefined : JSON.stringify(example);
  for (const [name, id] of Object.entries(ids))
    text = text?.replaceAll(exampleIds[name as keyof typeof exampleIds], id);
  const answer = await rest.callContract(contract, query ? `${place}?${query}` : place, {
    key,
    ...(text === undefined ? {} : { raw: text }),
  });
  const declared = [contract.answer.status, contract.answer.alternative?.status];
  expect(declared, `${operationId}: ${answer.text}`).toContain(answer.status);
  if (!("json" in call)) answered.set(operationId, answer);
  if (contract.answer.alternative?.status === answer.status)
    answered.set(`${operationId} ${String(answer.status)}`, answer);
  return answer.body as Body;
}

/** Asks until the answer is as hoped. */
async function until<Body>(ask: () => Promise<Body>, hoped: (body: Body) => boolean): Promise<Body> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const body = await ask();
    if (hoped(body)) return body;
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(body).slice(0, 2_000)}`);
    await pause(200);
  }
}

beforeAll(async () => {
  const mail = await startMailServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
  });
  cleanUps.push(() => mail.close());
  const seeded = await seedDemo({
    databaseUrl: database.workerUrl,
    baseUrl: api.url,
    smtp: { host: "127.0.0.1", port: mail.port, user: "quickstart", pass: "secret" },
  });
  if (!seeded) throw new Error("The demo tenant was there already");
  const { tenantId } = seeded;
  const ctx = systemCtx(database.web, tenantId, "Test");
  const { rows: people } = await database.owner.query<{ id: string; name: string; email: string }>(
    "SELECT id, name, email FROM users WHERE tenant_id = $1",
    [tenantId],
  );
  const { rows: places } = await database.owner.query<{ id: string; slug: string }>(
    "SELECT id, slug FROM environments WHERE tenant_id = $1",
    [tenantId],
  );
  const idOf = (slug: string) => places.find((place) => place.slug === slug)?.id ?? "";
  /** A key that somebody made: what it does is theirs. */
  const keyOf = async (email: string, environment: string) => {
    const person = people.find((each) => each.email === email)!;
    const by: Ctx = {
      ...ctx,
      actor: { type: "user", id: person.id, name: person.name, email },
      grants: [
        { permissions: new Set<string>(permissions), unitId: null, applicationId: null, environmentId: null },
      ],
    };
    return (await createApiKey(by, { name: email, environmentId: idOf(environment), role: "owner" })).key;
  };
  const key = await keyOf(seeded.email, "production");
  const other = await keyOf(seeded.reviewer.email, "production");
  const sandbox = await keyOf(seeded.email, places.find(({ slug }) => slug.includes("sandbox"))?.slug ?? "");
  const staging = await keyOf(seeded.email, "staging");
  await everything({ key, other, staging, sandbox }, idOf("production"));
}, 180_000);

/** `key`, `staging` and `sandbox` are one person's, `other` another's, of production. */
async function everything(
  keys: Record<"key" | "other" | "staging" | "sandbox", string>,
  environment: string,
): Promise<void> {
  const { key, other, staging, sandbox } = keys;
  const by = { key };
  const one = (id: string) => ({ key, params: { id } });

  // Recipients.
  await send("recordConsents", by);
  await send("getConsents", { key, query: "address=ada%40example.com" });
  const asked = await send("askConfirmation", by);
  await send("getConfirmation", one(asked.id));
  const contact = await send("createContact", by);
  await send("listContacts", { key, query: "limit=2" });
  await send("updateContact", one(contact.id));
  await send("upsertContacts", by);
  const group = await send("createContactGroup", by);
  await send("updateContactGroup", one(group.id));
  await send("addContactGroupMembers", one(group.id));
  await send("removeContactGroupMembers", one(group.id));
  await send("getContactGroup", one(group.id));
  await send("listContactGroups", by);
  await send("getContact", one(contact.id));
  await send("deleteContactGroup", one(group.id));
  await send("deleteContact", one(contact.id));
  await send("addSuppressions", by);
  const { data: suppressions } = await send<{ data: { id: string }[] }>("listSuppressions", by);
  await send("removeSuppression", one(suppressions[0]!.id));
  await send("eraseRecipients", by);
  const { data: erasures } = await send<{ data: { id: string }[] }>("listErasures", by);
  await send("getErasure", one(erasures[0]!.id));

  // Where events go.
  const webhook = await send("createWebhook", by);
  await send("getWebhook", one(webhook.id));
  await send("listWebhooks", by);
  await send("rotateWebhookSecret", one(webhook.id));
  await send("updateWebhook", one(webhook.id));
  const receiver = createServer((request, response) => {
    request.resume();
    response.end("ok");
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  cleanUps.push(() => receiver.close());
  const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/hooks`;
  await send("updateWebhook", { ...one(webhook.id), json: { url } });

  // Messages.
  const sent = await send<{ notifications: { notificationId: string }[] }>("sendNotifications", by);
  const message = sent.notifications[0]!.notificationId;
  await send("createNotification", by);
  await send("explainNotification", by);
  const later = await send<{ notificationId: string }>("createNotification", {
    key,
    json: {
      ...(requestExamples.createNotification as object),
      scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  });
  await send("cancelNotification", one(later.notificationId));
  const { requestId: broadcast } = await send<{ requestId: string }>("sendNotifications", {
    key,
    json: {
      ...(requestExamples.sendNotifications as object),
      transactionId: "to-regulars-1",
      recipients: [],
      contactGroups: [{ group: "Regulars", channels: ["email"] }],
    },
  });
  await send("listBroadcasts", by);
  for (const operationId of [
    "pauseBroadcast",
    "resumeBroadcast",
    "changeBroadcastRate",
    "getBroadcast",
    "cancelBroadcast",
  ])
    await send(operationId, one(broadcast));

  // Templates on their way to production.
  const template = await send("createTemplate", by);
  await send("updateTemplate", one(template.id));
  const staged = { key: staging, params: { id: template.id } };
  await send("deployTemplate", staged);
  await send("testTemplate", staged);
  await send("setKillSwitch", staged);
  await send("setKillSwitch", { ...staged, json: { environment: "staging", disabled: false } });
  await send("getTemplate", one(template.id));
  await send("listTemplates", { key, query: "limit=2" });
  await send("exportTemplateFiles", { key, query: "application=webshop" });
  const plan = await send("planTemplateImport", by);
  await send("getTemplateImport", one(plan.id));
  await send("startTemplateImport", one(plan.id));
  await send("cancelTemplateImport", one(plan.id));
  await send("listTemplateImports", by);
  await send("listPipelines", by);
  await send("updatePipeline", { key, params: { application: "webshop" } });
  for (const operationId of ["withdrawPipelineChange", "confirmPipelineChange"]) {
    const loosened = await send<{ proposal: { id: string } | null }>("updatePipeline", {
      key,
      params: { application: "webshop" },
      json: { stages: [{ environment: "staging" }, { environment: "production", gates: { approvals: 0 } }] },
    });
    await send(operationId, { key: other, params: { application: "webshop", id: loosened.proposal!.id } });
  }
  await send("updatePipeline", {
    key,
    params: { application: "webshop" },
    json: requestExamples.updatePipeline,
  });
  const refused = await send("createPromotion", { key, json: requestExamples.createPromotion });
  await send("rejectPromotion", { key: other, params: { id: refused.id } });
  const promotion = await send("createPromotion", by);
  await send("listPromotions", by);
  await send("approvePromotion", { key: other, params: { id: promotion.id } });
  await send("deployPromotion", one(promotion.id));
  await send("getPromotion", one(promotion.id));
  await send("rollBackPromotion", one(promotion.id));

  // The organisation's settings.
  const type = await send("createNotificationType", by);
  await send("updateNotificationType", one(type.id));
  await send("listNotificationTypes", by);
  await send("deleteNotificationType", one(type.id));
  await send("getResidency", by);
  await send("updateResidency", by);
  await send("getRecipientLimits", by);
  await send("updateRecipientLimits", by);
  await send("getConsentPolicy", by);
  await send("updateConsentPolicy", by);
  await send("getRetention", by);
  await send("updateRetention", by);
  await send("listShorteners", by);
  await send("getShortener", { key, params: { environment } });
  await send("updateShortener", { key, params: { environment } });
  const shortener = await startFakeShortener();
  cleanUps.push(() => shortener.close());
  await send("updateShortener", {
    key,
    params: { environment },
    json: { kind: "bitly", secret: fakeSecret, processingRegion: "US", baseUrl: shortener.baseUrl },
  });
  await send("testShortener", { key, params: { environment } });

  // The sandbox answers at once.
  const simulated = await send<{ notificationId: string }>("createNotification", {
    key: sandbox,
    json: { ...(requestExamples.createNotification as object), channel: "sms", to: "+4917604069003" },
  });

  const stopped = await send("createExport", { key, json: { kind: "messages" } });
  await send("cancelExport", one(stopped.id));

  const worker = spawn(process.execPath, [path.resolve("worker/main.ts")], {
    env: childEnvironment({ LOG_LEVEL: "fatal", WORKER_DATABASE_URL: database.workerUrl }),
    stdio: ["ignore", "ignore", "inherit"],
  });
  cleanUps.push(async () => {
    worker.kill("SIGTERM");
    if (worker.exitCode === null) await once(worker, "exit");
  });
  await until(
    () => send<{ status: string }>("getNotification", one(message)),
    ({ status }) => status === "sent" || status === "delivered",
  );
  await until(
    () =>
      send<{ status: string }>("getNotification", {
        key: sandbox,
        params: { id: simulated.notificationId },
        json: undefined,
      }),
    ({ status }) => status === "delivered",
  );
  await send("simulateRecipient", { key: sandbox, params: { id: simulated.notificationId } });
  const { data: conversations } = await until(
    () => send<{ data: { id: string }[] }>("listConversations", { key: sandbox }),
    ({ data }) => data.length > 0,
  );
  await send("listConversationMessages", { key: sandbox, params: { id: conversations[0]!.id } });
  await send("listNotifications", { key, query: "limit=2" });

  await until(
    () => send<{ data: unknown[] }>("listEvents", { key, query: "limit=2&event=notification.queued" }),
    ({ data }) => data.length === 2,
  );
  await send("testWebhook", one(webhook.id));
  const { data: deliveries } = await until(
    () => send<{ data: { id: string; state: string }[] }>("listWebhookDeliveries", one(webhook.id)),
    ({ data }) => data.length > 0 && data.every(({ state }) => state === "delivered"),
  );
  const delivery = { key, params: { id: webhook.id, deliveryId: deliveries.at(-1)!.id } };
  await send("getWebhookDelivery", delivery);
  await send("replayWebhookDelivery", delivery);
  await send("replayFailedWebhooks", one(webhook.id));
  await send("deleteWebhook", one(webhook.id));

  const apiKey = await send("createApiKey", by);
  await send("listApiKeys", by);
  await send("revokeApiKey", one(apiKey.id));

  const file = await send("createExport", by);
  await until(
    () => send<{ state: string }>("getExport", one(file.id)),
    ({ state }) => state === "finished",
  );
  await send("downloadExport", one(file.id));
  await send("listExports", by);
  await send("deleteExport", one(file.id));
  await send("getDeliveryReport", by);
  await send("getCostReport", by);
  await send("getObjectives", by);

  // What carries messages, at last: from here on nothing is sent.
  const { data: providers } = await send<{ data: { id: string; provider: string }[] }>("listProviders", by);
  const mailbox = providers.find(({ provider }) => provider === "smtp")!.id;
  recorder.name(mailbox, exampleIds.connection);
  await send("listProviderAdapters", by);
  await send("testProvider", one(mailbox));
  const provider = await send("createProvider", by);
  await send("getProvider", one(provider.id));
  await send("updateProvider", one(provider.id));
  await send("deleteProvider", one(provider.id));
  const ids = { connection: mailbox };
  await send("listRoutingRules", by);
  const rule = await send("createRoutingRule", { key, ids });
  await send("updateRoutingRule", { ...one(rule.id), ids });
  await send("getRoutingRule", one(rule.id));
  await send("dryRunRouting", by);
  await send("replaceRoutingRules", { key, ids });
  await send("listRoutingRevisions", by);
  await send("revertRoutingRules", { key, params: { number: "2" } });
  await send("deleteRoutingRule", one(rule.id));
  await send("archiveTemplate", one(template.id));

  const { data: events } = await send<{ data: { id: string }[] }>("listAuditEvents", {
    key,
    query: "limit=2",
  });
  await send("getAuditEvent", one(events[0]!.id));
}

/** What an operation may answer with success: key of its example → its declaration. */
const answers = new Map(
  contracts.flatMap(({ operationId, answer }) => [
    [operationId, answer] as const,
    ...(answer.alternative ? [[`${operationId} ${String(answer.alternative.status)}`, answer] as const] : []),
  ]),
);

describe("the examples of the OpenAPI document", () => {
  it("exist for every body that is sent, and for nothing else", () => {
    const withBody = contracts.filter((contract) => contract.body).map(({ operationId }) => operationId);
    expect(Object.keys(requestExamples).sort()).toEqual(withBody.sort());
  });

  it("are all sent as they are printed, and answered with the success that is declared", () => {
    expect([...answered.keys()].sort()).toEqual([...answers.keys()].sort());
  });

  it("of answers fit their schema, and have the shape of what is answered", async () => {
    const withBody = [...answers].filter(([, { schema, file }]) => schema ?? file);
    const given = (name: string) => answered.get(name)?.body ?? answered.get(name)?.text;
    if (recording) {
      const recorded = Object.fromEntries(withBody.map(([name]) => [name, recorder.plain(given(name))]));
      const file = path.join(import.meta.dirname, "examples", "answers.json");
      await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`);
      return;
    }
    expect(Object.keys(answerExamples).sort()).toEqual(withBody.map(([name]) => name).sort());
    for (const [name, { schema }] of withBody) {
      const example = answerExamples[name];
      if (schema) {
        const parsed = schema.safeParse(example);
        expect(parsed.error?.message, name).toBeUndefined();
        expect(parsed.data, name).toEqual(example);
      }
      const difference = sameShape(example, given(name));
      expect(difference, `${name}: the example is not what is answered; record it anew`).toBeUndefined();
    }
  });
});
