import { describe, expect, it } from "vitest";
import { recordConsent } from "../consent/record-consent.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { createTemplate } from "../templates/create-template.ts";
import { templateCreateSchema } from "../templates/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { acceptSend } from "./accept-send.ts";
import { explainSend } from "./explain-send.ts";
import { getNotification } from "./get-notification.ts";
import { listNotifications } from "./list-notifications.ts";
import { orderOfSend } from "./orders.ts";
import { refusalOf as reasonOf } from "./refusal.ts";
import { sendRequestSchema } from "./schemas.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant, tenantId, send } = world;

const ada = { channel: "sms", recipient: "+4915112345678" } as const;
const day = 86_400_000;

async function refusalOf(promise: Promise<unknown>): Promise<DomainError> {
  const error = await promise.then(
    () => new Error("it was accepted"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw error;
}

async function count(table: string, requestId: string): Promise<number> {
  const { rows } = await database.owner.query<{ n: number }>(
    table === "send_requests"
      ? `SELECT count(*)::int AS n FROM send_requests WHERE tenant_id = $1 AND id = $2`
      : `SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1 AND request_id = $2`,
    [tenantId, requestId],
  );
  return rows[0]?.n ?? 0;
}

/** Row counts of everything that accepting writes. */
async function stored() {
  const { rows } = await database.owner.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM send_requests) AS requests, (SELECT count(*) FROM idempotency_keys) AS keys,
            (SELECT count(*) FROM notifications) AS notifications, (SELECT count(*) FROM notification_events) AS events,
            (SELECT count(*) FROM metric_deltas) AS metrics, (SELECT count(*) FROM graphile_worker._private_jobs) AS jobs`,
  );
  return rows[0];
}

describe("a repeated request", () => {
  it("is accepted once, however many arrive at the same time, and all get the same answer", async () => {
    const transactionId = newId();
    const recipients = [ada, { channel: "email", recipient: "ada@example.com" } as const];
    const answers = await Promise.all(Array.from({ length: 200 }, () => send({ transactionId, recipients })));
    const [first] = answers;
    expect(
      new Set(answers.map(({ requestId, notifications }) => JSON.stringify({ requestId, notifications }))),
    ).toHaveLength(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    const { rows } = await database.owner.query(
      "SELECT id FROM send_requests WHERE tenant_id = $1 AND transaction_id = $2",
      [tenantId, transactionId],
    );
    expect(rows).toEqual([{ id: first?.requestId }]);
    expect(await count("notifications", first?.requestId ?? "")).toBe(2);
    for (const message of first?.notifications ?? []) {
      expect(await world.waitingJobs(message.notificationId)).toHaveLength(1);
    }
  });

  it("with another body is refused, and changes nothing", async () => {
    const transactionId = newId();
    const first = await send({ transactionId });
    const refused = await refusalOf(send({ transactionId, templateVariables: [{ code: "4712" }] }));
    expect(refused).toMatchObject({ code: "idempotency_mismatch", status: 422 });
    expect(await count("notifications", first.requestId)).toBe(1);
    expect((await send({ transactionId })).requestId).toBe(first.requestId);
  });

  it("with another body is refused also while the first is in progress", async () => {
    const transactionId = newId();
    const bodies = Array.from({ length: 40 }, (_, index) => ({
      transactionId,
      templateVariables: [{ code: String(index % 2) }],
    }));
    const results = await Promise.allSettled(bodies.map((body) => send(body)));
    const accepted = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(new Set(accepted.map((answer) => answer.requestId))).toHaveLength(1);
    expect(accepted).toHaveLength(20);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "idempotency_mismatch" });
    }
  });

  it("is another request in another environment, application or tenant", async () => {
    const transactionId = newId();
    const other = await makeSendingWorld(database);
    await world.addTemplate({
      name: "desk-status",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      body: "Case {{ code }}",
      applicationId: tenant.otherApplication.id,
    });
    const answers = [
      await send({ transactionId }),
      await send({ transactionId }, { environment: "staging" }),
      await send({ transactionId, application: "desk" }),
      await other.send({ transactionId }),
    ];
    expect(new Set(answers.map((answer) => answer.requestId))).toHaveLength(4);
    expect(answers.some((answer) => answer.replayed)).toBe(false);
  });

  it("gets the first answer even if it would be refused by now", async () => {
    const transactionId = newId();
    const fields: SendFields = {
      transactionId,
      notificationType: "account",
      notificationSubtype: "maintenance",
    };
    const inSandbox = { environment: "sandbox" } as const;
    const first = await send(fields, inSandbox);
    const disable =
      "UPDATE template_deployments SET disabled = $3 WHERE tenant_id = $1 AND environment_id = $2";
    await database.owner.query(disable, [tenantId, tenant.environments.sandbox, true]);
    try {
      const { forgetLiveTemplates } = await import("../templates/resolve-template.ts");
      forgetLiveTemplates();
      const again = await send(fields, inSandbox);
      expect(again).toMatchObject({
        replayed: true,
        requestId: first.requestId,
        notifications: first.notifications,
      });
      const changed = await refusalOf(send({ ...fields, language: "de" }, inSandbox));
      expect(changed.code).toBe("idempotency_mismatch");
      expect((await refusalOf(send({ ...fields, transactionId: newId() }, inSandbox))).code).toBe(
        "unknown_template",
      );
      forgetLiveTemplates();
    } finally {
      await database.owner.query(disable, [tenantId, tenant.environments.sandbox, false]);
    }
  });

  it("gets the first answer even after the messages have moved on", async () => {
    const transactionId = newId();
    const recipients = [ada, { channel: "sms", recipient: "nonsense" } as const];
    const first = await send({ transactionId, recipients });
    await database.owner.query(
      "UPDATE notifications SET status = 'failed', due_at = NULL WHERE tenant_id = $1 AND request_id = $2 AND status <> 'rejected'",
      [tenantId, first.requestId],
    );
    const again = await send({ transactionId, recipients });
    expect(again.notifications).toEqual(first.notifications);
  });

  it(
    "waits for one whose commit is in progress, and gives up after five seconds",
    { timeout: 20_000 },
    async () => {
      const transactionId = newId();
      const client = await database.owner.connect();
      try {
        await client.query("BEGIN");
        await client.query(
          `INSERT INTO idempotency_keys (tenant_id, environment_id, application_id, kind, key, body_hash, request_id)
         VALUES ($1, $2, $3, 'transaction', $4, '\\x00', $5)`,
          [tenantId, tenant.environments.production, tenant.application.id, transactionId, newId()],
        );
        expect(await refusalOf(send({ transactionId }))).toMatchObject({
          code: "request_in_progress",
          status: 409,
        });
        const waiting = send({ transactionId });
        await client.query("ROLLBACK");
        expect((await waiting).replayed).toBe(false);
      } finally {
        client.release();
      }
    },
  );

  it("after a transaction that failed finds nothing of it, and is accepted then", async () => {
    const transactionId = newId();
    const table = "graphile_worker._private_jobs";
    await database.owner.query(
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON ${table} EXECUTE FUNCTION full_disk()`,
    );
    const before = await stored();
    await expect(send({ transactionId })).rejects.toMatchObject({ code: "53100" });
    expect(await stored()).toEqual(before);
    await database.owner.query(`DROP TRIGGER full_disk ON ${table}; DROP FUNCTION full_disk`);
    expect(await send({ transactionId })).toMatchObject({ replayed: false });
  });

  it("after a commit whose answer was lost gets the ids of that commit", async () => {
    const transactionId = newId();
    const body = sendRequestSchema.parse(sendBody({ transactionId }));
    const input = {
      order: orderOfSend(tenant.environments.production, body),
      source: "send" as const,
      transactionId,
      idempotency: { kind: "transaction" as const, key: transactionId, bodyHash: "ab".repeat(32) },
    };
    // The server commits and the connection dies before its answer arrives.
    const { pool } = database.web;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    const broken = Object.assign(Object.create(pool) as typeof pool, {
      query: async (...args: unknown[]) => {
        const answer = await query(...args);
        if (!JSON.stringify(args[0]).includes("accept_sends")) return answer;
        throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
      },
    });
    const lostTenant = await makeSendingWorld(database);
    const lost = {
      ...input,
      order: { ...input.order, environmentId: lostTenant.tenant.environments.production },
    };
    const lostCtx = lostTenant.tenant.system;
    await expect(acceptSend({ ...lostCtx, db: { ...database.web, pool: broken } }, lost)).rejects.toThrow(
      "Connection terminated",
    );
    const { rows } = await database.owner.query<{ id: string; request_id: string }>(
      "SELECT id, request_id FROM notifications WHERE tenant_id = $1",
      [lostTenant.tenantId],
    );
    expect(rows).toHaveLength(1);
    // What another process would answer to the repetition.
    const { rows: known } = await database.owner.query<{ result: { known: { requestId: string }[] } }>(
      "SELECT accept_sends($1, $2) AS result",
      [
        lostTenant.tenantId,
        JSON.stringify([
          {
            id: newId(),
            environmentId: lostTenant.tenant.environments.production,
            applicationId: lostTenant.tenant.application.id,
            keyKind: "transaction",
            key: transactionId,
            bodyHash: "ab".repeat(32),
            messages: [],
          },
        ]),
      ],
    );
    expect(known[0]?.result.known[0]).toMatchObject({ requestId: rows[0]?.request_id, sameBody: true });
  });

  it("under an Idempotency-Key is remembered for 24 hours, and counts as new after that", async () => {
    const body = sendRequestSchema.parse(sendBody());
    const key = newId();
    const accept = () =>
      acceptSend(tenant.system, {
        order: orderOfSend(tenant.environments.production, body),
        source: "v1",
        transactionId: null,
        idempotency: { kind: "idempotency", key, bodyHash: "cd".repeat(32) },
      });
    const first = await accept();
    expect((await accept()).requestId).toBe(first.requestId);
    const { rows } = await database.owner.query<{ hours: number }>(
      "UPDATE idempotency_keys SET expires_at = expires_at - interval '24 hours' WHERE key = $1 RETURNING round(extract(epoch FROM expires_at - now() + interval '24 hours') / 3600)::int AS hours",
      [key],
    );
    expect(rows[0]?.hours).toBe(24);
    const later = await accept();
    expect(later).toMatchObject({ replayed: false });
    expect(later.requestId).not.toBe(first.requestId);
    expect((await accept()).requestId).toBe(later.requestId);
  });
});

describe("a request as a whole", () => {
  it("is stored with its messages, first events and jobs, in the order of its recipients", async () => {
    const recipients = Array.from({ length: 25 }, (_, index) => ({
      channel: index % 2 === 0 ? ("sms" as const) : ("email" as const),
      recipient: index % 2 === 0 ? `+49151123456${String(10 + index)}` : `person${String(index)}@example.com`,
    }));
    const accepted = await send({ recipients });
    expect(accepted.notifications.map(({ channel, recipient }) => ({ channel, recipient }))).toEqual(
      recipients,
    );
    for (const { notificationId, status } of accepted.notifications) {
      expect(status).toBe("queued");
      expect((await world.events(notificationId)).map((event) => event.type)).toEqual(["queued"]);
    }
    expect(await count("notifications", accepted.requestId)).toBe(25);
  });

  it("is refused with the allowed names when application, type, subtype or template is unknown", async () => {
    const application = await refusalOf(send({ application: "nope" }));
    expect(application).toMatchObject({ code: "unknown_application", errors: [{ pointer: "/application" }] });
    const type = await refusalOf(send({ notificationType: "nope" }));
    expect(type).toMatchObject({
      code: "unknown_notification_type",
      errors: [{ pointer: "/notificationType" }],
    });
    expect(type.message).toContain("authentication, marketing, order");
    expect(type.extra.allowed).toContainEqual({ type: "marketing", subtypes: ["promotion"] });
    const subtype = await refusalOf(send({ notificationSubtype: "nope" }));
    expect(subtype).toMatchObject({
      code: "unknown_notification_type",
      errors: [{ pointer: "/notificationSubtype" }],
    });
    expect(subtype.message).toContain("order_status, receipt");
    expect((await refusalOf(send({ notificationSubtype: "receipt" }))).code).toBe("unknown_template");
    const whatsapp = await refusalOf(send({ recipients: [{ ...ada, channel: "whatsapp" }] }));
    expect(whatsapp).toMatchObject({ code: "unknown_template", errors: [{ pointer: "/recipients" }] });
    expect(whatsapp.message).toContain("whatsapp");
  });

  it("is refused when another unit's application is named, exactly as for an unknown one", async () => {
    const developer = tenant.as("developer", tenant.units.alpha);
    const foreign = await refusalOf(send({ application: "desk" }, { ctx: developer }));
    const unknown = await refusalOf(send({ application: "nope" }, { ctx: developer }));
    const told = ({ code, message, errors, extra }: DomainError) => ({ code, message, errors, extra });
    expect(told(foreign)).toEqual(told(unknown));
  });

  it("is refused when a variable has two values, wherever they stand", async () => {
    const error = await refusalOf(
      send({ templateVariables: [{ code: "1", "a/b": "x" }, { code: "1" }, { "a/b": "y" }] }),
    );
    expect(error).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/templateVariables/2/a~1b", code: "contradictory_variable" }],
    });
    expect((await send({ templateVariables: [{ code: "1" }, { code: "1" }] })).notifications).toHaveLength(1);
  });

  it("is refused when every recipient lacks a variable; a recipient who alone lacks one is rejected alone", async () => {
    const all = await refusalOf(send({ templateVariables: [] }));
    expect(all).toMatchObject({ code: "missing_variable", status: 422 });
    expect(all.message).toContain("code");
    const mixed = await send({
      templateVariables: [],
      recipients: [
        { ...ada, variables: { code: "1" } },
        { ...ada, recipient: "+4915112345679" },
      ],
    });
    expect(mixed.notifications.map(({ status, reason }) => [status, reason?.code])).toEqual([
      ["queued", undefined],
      ["rejected", "missing_variable"],
    ]);
  });

  it("is refused when a time does not fit", async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const pointers = async (fields: SendFields) =>
      (await refusalOf(send(fields))).errors.map((error) => `${error.pointer} ${error.code}`);
    expect(await pointers({ scheduledAt: at(30 * day + 60_000) })).toEqual(["/scheduledAt too_late"]);
    expect(await pointers({ expiresAt: at(-1_000) })).toEqual(["/expiresAt too_early"]);
    expect(await pointers({ scheduledAt: at(day), expiresAt: at(day - 1_000) })).toEqual([
      "/expiresAt too_early",
    ]);
    expect((await send({ scheduledAt: at(30 * day - 60_000) })).notifications[0]?.status).toBe("scheduled");
    expect((await send({ scheduledAt: at(-day) })).notifications[0]?.status).toBe("queued");
  });

  it("is refused without recipients or with only unknown contact groups", async () => {
    expect(await refusalOf(send({ recipients: [] }))).toMatchObject({ code: "invalid_request" });
    const groups = [{ group: "friends", channels: ["sms"] }];
    expect(await refusalOf(send({ contactGroups: groups }))).toMatchObject({ code: "unknown_contact_group" });
  });

  it("is scheduled with a job for its time and nothing sooner", async () => {
    const scheduledAt = new Date(Date.now() + day).toISOString();
    const accepted = await send({ scheduledAt });
    const [job, ...others] = await world.waitingJobs(messageId(accepted));
    expect(job?.run_at.toISOString()).toBe(scheduledAt);
    expect(others).toEqual([]);
  });

  it("expires by its class's time-to-live, counted from its scheduled time", async () => {
    const scheduledAt = new Date(Date.now() + day);
    const accepted = await send({
      notificationType: "authentication",
      notificationSubtype: "one_time_passcode",
      scheduledAt: scheduledAt.toISOString(),
    });
    const { rows } = await database.owner.query<{ expires_at: Date }>(
      "SELECT expires_at FROM notifications WHERE id = $1",
      [messageId(accepted)],
    );
    expect(rows[0]?.expires_at.getTime()).toBe(scheduledAt.getTime() + 600_000);
  });
});

describe("one channel", () => {
  it("without a template rejects its messages, with the reason, beside those of the others", async () => {
    const accepted = await send({ recipients: [{ ...ada, channel: "whatsapp" }, ada] });
    expect(accepted.notifications.map(({ status, reason }) => [status, reason?.code])).toEqual([
      ["rejected", "unknown_template"],
      ["queued", undefined],
    ]);
    const [rejected] = accepted.notifications;
    expect(rejected?.reason?.detail).toContain("No whatsapp template for order / order_status");
    const stored = await world.notification(rejected?.notificationId ?? "");
    expect(stored).toMatchObject({ status: "rejected", due_at: null, reason_code: "unknown_template" });
    expect(await world.waitingJobs(rejected?.notificationId ?? "")).toEqual([]);
  });

  it("without a template is what the refusal names when no message of another remains", async () => {
    const error = await refusalOf(
      send({ recipients: [{ ...ada, channel: "whatsapp" }, ada], templateVariables: [] }),
    );
    expect(error).toMatchObject({ code: "unknown_template", status: 422 });
    expect(error.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["/recipients", "unknown_template"],
      ["/templateVariables", "missing_variable"],
    ]);
  });
});

describe("one recipient", () => {
  it("that lacks variables is told all of them, and so is a request that lacks them for everybody", async () => {
    const variables = ["first", "second", "third"].map((name) => ({ name, example: "x" }));
    await createTemplate(
      tenant.system,
      templateCreateSchema.parse({
        application: "shop",
        name: "receipt",
        notificationType: "order",
        notificationSubtype: "receipt",
        channel: "sms",
        body: "{{ first }} {{ second }} {{ third }} {{ on }}",
        variables: [...variables, { name: "on", type: "date", example: "2027-01-31" }],
      }),
    );
    const receipt: SendFields = { notificationSubtype: "receipt", templateVariables: [{ on: "tomorrow" }] };
    const complete = { first: "1", second: "2", third: "3", on: "2027-01-31" };
    const { notifications } = await send(
      {
        ...receipt,
        recipients: [
          { ...ada, variables: complete },
          { ...ada, recipient: "+4915112345679", variables: { second: "2" } },
        ],
      },
      { environment: "staging" },
    );
    expect(notifications[1]?.reason).toEqual({
      code: "missing_variable",
      detail:
        'The template needs the variables "first" and "third". "on" must be a date or time of ISO 8601, like 2027-01-31T08:00:00Z.',
    });
    const all = await refusalOf(send(receipt, { environment: "staging" }));
    expect(all.message).toContain('The template needs the variables "first", "second" and "third".');
    expect(all.errors.map(({ code, detail }) => [code, /"(\w+)"/.exec(detail)?.[1]])).toEqual([
      ["missing_variable", "first"],
      ["missing_variable", "second"],
      ["missing_variable", "third"],
      ["invalid_variable", "on"],
    ]);
  });

  it("gets one message on a channel, however often and in whatever spelling the request names them", async () => {
    const mail = (recipient: string) => ({ channel: "email" as const, recipient });
    const { notifications } = await send({
      recipients: [
        { ...ada, variables: { code: "1" } },
        mail("Ada@EXAMPLE.com"),
        ada,
        mail("ada@example.com"),
        { channel: "whatsapp", recipient: ada.recipient },
        mail("eve@example.com"),
      ],
    });
    expect(notifications.map(({ status, reason }) => [status, reason?.code])).toEqual([
      ["queued", undefined],
      ["queued", undefined],
      ["rejected", "duplicate_recipient"],
      ["rejected", "duplicate_recipient"],
      ["rejected", "unknown_template"],
      ["queued", undefined],
    ]);
    expect(await world.waitingJobs(notifications[2]?.notificationId ?? "")).toEqual([]);
  });

  it("may have a mail domain in its own letters: stored as DNS has it, shown as it is written", async () => {
    const mail = (recipient: string) => ({ channel: "email" as const, recipient });
    const { notifications } = await send({
      recipients: [mail("Info@Müller.de"), mail("info@xn--mller-kva.de")],
    });
    expect(notifications.map(({ recipient, reason }) => [recipient, reason?.code])).toEqual([
      ["info@müller.de", undefined],
      ["info@müller.de", "duplicate_recipient"],
    ]);
    const id = notifications[0]?.notificationId ?? "";
    const { rows } = await database.owner.query("SELECT recipient FROM notifications WHERE id = $1", [id]);
    expect(rows).toEqual([{ recipient: "info@xn--mller-kva.de" }]);
    expect((await getNotification(tenant.as("owner"), { id })).to).toBe("info@müller.de");
    const page = { limit: 5, environmentId: tenant.environments.production };
    for (const to of ["info@müller.de", "INFO@xn--mller-kva.de"]) {
      const { data } = await listNotifications(tenant.as("owner"), { ...page, to });
      expect(data.map(({ notificationId }) => notificationId)).toContain(id);
    }
  });

  it("with letters beyond ASCII before the @ needs a connection that takes such, and is told so", async () => {
    const fields: SendFields = { recipients: [{ channel: "email", recipient: "José@example.com" }] };
    const refused = (await send(fields)).notifications[0];
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "invalid_recipient" } });
    expect(refused?.reason?.detail).toContain("SMTPUTF8");
    const mailing = await makeSendingWorld(database);
    await mailing.tenant.addSimulator();
    // The simulator carries every address, in the sandbox.
    expect((await mailing.send(fields, { environment: "sandbox" })).notifications[0]).toMatchObject({
      status: "queued",
      recipient: "josé@example.com",
    });
  });

  it("is no duplicate of one whose message is rejected", async () => {
    const { notifications } = await send({
      templateVariables: [],
      recipients: [ada, { ...ada, variables: { code: "1" } }],
    });
    expect(notifications.map(({ reason }) => reason?.code)).toEqual(["missing_variable", undefined]);
  });

  it("that is invalid never fails the others", async () => {
    const accepted = await send({
      recipients: [
        ada,
        { ...ada, recipient: "0151" },
        { channel: "email", recipient: "not an address" },
        { channel: "email", recipient: "Ada@EXAMPLE.com" },
      ],
    });
    expect(accepted.notifications.map(({ status, reason }) => [status, reason?.code])).toEqual([
      ["queued", undefined],
      ["rejected", "invalid_recipient"],
      ["rejected", "invalid_recipient"],
      ["queued", undefined],
    ]);
    const [, rejected] = accepted.notifications;
    expect(await world.notification(rejected?.notificationId ?? "")).toMatchObject({
      status: "rejected",
      due_at: null,
      reason_code: "invalid_recipient",
    });
    expect(await world.waitingJobs(rejected?.notificationId ?? "")).toEqual([]);
    expect((await world.events(rejected?.notificationId ?? "")).map((event) => event.type)).toEqual([
      "rejected",
    ]);
  });

  const marketing: SendFields = { notificationType: "marketing", notificationSubtype: "promotion" };
  const to = (recipient: string): SendFields => ({ recipients: [{ channel: "sms", recipient }] });
  const consent = (recipient: string, state: "opted_in" | "opted_out", fields: object = {}) =>
    inTenant(tenant.system, (tx) =>
      recordConsent(tenant.system, tx, {
        sandbox: false,
        channel: "sms",
        address: recipient,
        state,
        source: "api",
        ...fields,
      }),
    );
  const outcome = async (fields: SendFields, environment?: "sandbox") => {
    const accepted = await send(fields, environment ? { environment } : {});
    return accepted.notifications[0]?.reason?.code ?? accepted.notifications[0]?.status;
  };

  it("gets marketing only after opting in", async () => {
    const fields = { ...marketing, ...to("+4915200000001") };
    expect(await outcome(fields)).toBe("consent_denied");
    await consent("+4915200000001", "opted_in");
    expect(await outcome(fields)).toBe("queued");
    await consent("+4915200000001", "opted_out");
    expect(await outcome(fields)).toBe("consent_denied");
  });

  it("that said no is told apart from one that never said yes, with what can be done about it", async () => {
    const detail = async (fields: SendFields) => (await send(fields)).notifications[0]?.reason?.detail;
    const fields = { ...marketing, ...to("+4915200000012") };
    expect(await detail(fields)).toBe(
      "The recipient has never opted in to marketing messages by SMS, which need that. Record their opt-in (POST /v1/consents), or ask them for it (POST /v1/consents/confirmations).",
    );
    await consent("+4915200000012", "opted_out");
    const no =
      "The recipient has opted out of marketing messages by SMS. They can opt in again by writing START, or by agreeing when you ask them (POST /v1/consents/confirmations).";
    expect(await detail(fields)).toBe(no);
    const { messages } = await explainSend(
      tenant.system,
      orderOfSend(tenant.environments.production, sendRequestSchema.parse(sendBody(fields))),
    );
    expect(messages[0]?.reason).toEqual({ code: "consent_denied", detail: no });
  });

  it("is refused in the same words by the database as everywhere else", async () => {
    for (const channel of ["sms", "email", "whatsapp"] as const) {
      for (const of of ["marketing", "service", "transactional", "authentication"] as const) {
        for (const state of ["opted_out", null] as const) {
          for (const code of ["consent_denied", "suppressed"] as const) {
            const { rows } = await database.owner.query<{ detail: string }>(
              "SELECT refusal_detail($1, $2, $3, $4) AS detail",
              [code, state, channel, of],
            );
            const asked = { channel, class: of, consent: state };
            expect(rows[0]?.detail).toBe(reasonOf(code, asked).detail);
          }
        }
      }
    }
  });

  it("gets the other classes unless it has opted out, and one-time codes always", async () => {
    const fields = to("+4915200000002");
    expect(await outcome(fields)).toBe("queued");
    await consent("+4915200000002", "opted_out");
    expect(await outcome(fields)).toBe("consent_denied");
    const code = { ...fields, notificationType: "authentication", notificationSubtype: "one_time_passcode" };
    expect(await outcome(code)).toBe("queued");
  });

  it("is decided by the newest consent that covers region and class", async () => {
    const fields = { ...marketing, ...to("+4915200000003") };
    await consent("+4915200000003", "opted_in", { class: "marketing", at: new Date(Date.now() - 3_000) });
    await consent("+4915200000003", "opted_out", { region: "FR", at: new Date(Date.now() - 2_000) });
    await consent("+4915200000003", "opted_out", { class: "service", at: new Date(Date.now() - 1_000) });
    expect(await outcome(fields)).toBe("queued");
    expect(await outcome({ ...fields, region: "FR" })).toBe("consent_denied");
  });

  it("that is suppressed gets nothing of any class", async () => {
    await inTenant(tenant.system, (tx) =>
      suppressAddress(tenant.system, tx, {
        sandbox: false,
        channel: "sms",
        address: "+4915200000004",
        reason: "manual",
      }),
    );
    const code = { notificationType: "authentication", notificationSubtype: "one_time_passcode" };
    expect(await outcome({ ...code, ...to("+4915200000004") })).toBe("suppressed");
  });

  it("has separate consent and suppression in the sandbox", async () => {
    const fields = { ...marketing, ...to("+4915200000005") };
    await consent("+4915200000005", "opted_in");
    expect(await outcome(fields, "sandbox")).toBe("consent_denied");
    await consent("+4915200000005", "opted_in", { sandbox: true });
    expect(await outcome(fields, "sandbox")).toBe("queued");
    await inTenant(tenant.system, (tx) =>
      suppressAddress(tenant.system, tx, {
        sandbox: true,
        channel: "sms",
        address: "+4915200000005",
        reason: "manual",
      }),
    );
    expect(await outcome(fields, "sandbox")).toBe("suppressed");
    expect(await outcome(fields)).toBe("queued");
  });

  it("is decided by the tenant's own policy where it has one", async () => {
    const strict = await makeSendingWorld(database, {
      settings: { consentPolicies: [{ class: "transactional", channel: "sms", policy: "opt_in_required" }] },
    });
    const accepted = await strict.send({
      recipients: [ada, { channel: "email", recipient: "ada@example.com" }],
    });
    expect(accepted.notifications.map((one) => one.reason?.code ?? one.status)).toEqual([
      "consent_denied",
      "queued",
    ]);
  });
});
