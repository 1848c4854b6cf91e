import type { QueryConfig } from "pg";
import { describe, expect, it } from "vitest";
import { recordConsent } from "../consent/record-consent.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { updateTemplate } from "../templates/update-template.ts";
import { testDatabase } from "../testing/database.ts";
import { codeOf } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { notificationOperations } from "./operations.ts";
import { sendTest } from "./send-test.ts";
import { testedVersions, versionKey } from "./template-tests.ts";

const database = await testDatabase();

async function world() {
  const made = await makeSendingWorld(database);
  await made.tenant.addSimulator();
  return made;
}
type World = Awaited<ReturnType<typeof world>>;

async function templateOf({ tenant }: World, type: string, channel: string): Promise<string> {
  const { rows } = await database.owner.query<{ id: string }>(
    "SELECT id FROM templates WHERE tenant_id = $1 AND notification_type = $2 AND channel = $3",
    [tenant.tenantId, type, channel],
  );
  return rows[0]?.id ?? "";
}

describe("a version sent to oneself", () => {
  it("is the requested version, live or not, and counts as tested once a provider accepted it", async () => {
    const its = await world();
    const { tenant } = its;
    const templateId = await templateOf(its, "order", "sms");
    await updateTemplate(tenant.system, {
      id: templateId,
      body: "Second {{ code }}",
      metadata: {},
      variables: [{ name: "code", type: "string", required: true, example: "77" }],
    });
    const to = "+4915112345678";
    const sent = await sendTest(tenant.as("owner"), {
      templateId,
      environment: "production",
      to,
      variables: {},
    });
    expect(sent).toMatchObject({ status: "queued", version: 2, environment: "production" });
    const pair = { templateId, version: 2 };
    expect(await testedVersions(tenant.system, [pair])).toEqual(new Set());
    await its.runJobs();
    expect((await its.notification(sent.notificationId)).status).toMatch(/^(sent|delivered)$/);
    expect(await testedVersions(tenant.system, [pair, { templateId, version: 1 }])).toEqual(
      new Set([versionKey(templateId, 2)]),
    );
  });

  it("counts for nothing in the sandbox, whose simulator accepts everything", async () => {
    const its = await world();
    const { tenant } = its;
    const templateId = await templateOf(its, "order", "sms");
    const sent = await sendTest(tenant.as("owner"), {
      templateId,
      environment: "sandbox",
      to: "+4915112345678",
      variables: { code: "1" },
    });
    await its.runJobs();
    expect((await its.notification(sent.notificationId)).status).toMatch(/^(sent|delivered)$/);
    expect(await testedVersions(tenant.system, [{ templateId, version: sent.version }])).toEqual(new Set());
  });

  it("needs no recorded consent, which sending to oneself implies, but respects refusals and suppressions", async () => {
    const its = await world();
    const { tenant } = its;
    const templateId = await templateOf(its, "marketing", "email");
    const test = (to: string) =>
      sendTest(tenant.as("owner"), { templateId, environment: "production", to, variables: { code: "1" } });
    const sent = await test("me@example.com");
    await its.runJobs();
    expect((await its.notification(sent.notificationId)).status).toMatch(/^(sent|delivered)$/);
    await inTenant(tenant.worker, (tx) =>
      suppressAddress(tenant.worker, tx, {
        sandbox: false,
        channel: "email",
        address: "gone@example.com",
        reason: "manual",
      }),
    );
    expect(await test("gone@example.com")).toMatchObject({
      status: "rejected",
      reason: { code: "suppressed" },
    });

    // The address is not proven to be theirs: what its owner has refused stays refused, also at delivery.
    const waiting = await test("no@example.com");
    await inTenant(tenant.worker, (tx) =>
      recordConsent(tenant.worker, tx, {
        sandbox: false,
        channel: "email",
        address: "no@example.com",
        state: "opted_out",
        source: "unsubscribe_link",
      }),
    );
    await its.runJobs();
    expect(await its.notification(waiting.notificationId)).toMatchObject({
      status: "rejected",
      reason_code: "consent_denied",
    });
    expect(await test("no@example.com")).toMatchObject({
      status: "rejected",
      reason: { code: "consent_denied" },
    });
  });

  it("is open to authors outside production, and to senders in it", async () => {
    const its = await world();
    const { tenant } = its;
    const templateId = await templateOf(its, "order", "sms");
    const test = (role: Parameters<typeof tenant.as>[0], environment: string) =>
      codeOf(
        Promise.resolve().then(() =>
          notificationOperations.sendTest.call(tenant.as(role), {
            templateId,
            environment,
            to: "+4915112345678",
            variables: { code: "1" },
          }),
        ),
      );
    expect(await test("template_author", "staging")).toBe("");
    expect(await test("template_author", "sandbox")).toBe("");
    expect(await test("template_author", "production")).toBe("permission_denied");
    expect(await test("operator", "production")).toBe("");
    expect(await test("auditor", "staging")).toBe("permission_denied");
    expect(await test("owner", "nowhere")).toBe("invalid_request");
  });
});

describe("the limit of tests per hour", () => {
  const request = (templateId: string) => ({
    templateId,
    environment: "production",
    to: "+4915112345678",
    variables: { code: "1" },
  });
  const noted = async ({ tenant }: World) => {
    const { rows } = await database.owner.query<{ n: number; lost: number }>(
      `SELECT count(*)::int AS n,
              count(*) FILTER (WHERE NOT EXISTS (SELECT FROM notifications n WHERE n.tenant_id = t.tenant_id AND n.id = t.notification_id))::int AS lost
       FROM template_tests t WHERE tenant_id = $1`,
      [tenant.tenantId],
    );
    return rows[0]!;
  };

  it("holds for concurrent tests", async () => {
    const its = await world();
    const { tenant } = its;
    const templateId = await templateOf(its, "order", "sms");
    await inTenant(tenant.system, (tx) =>
      tx.templateTest.createMany({
        data: Array.from({ length: 117 }, () => ({
          tenantId: tenant.tenantId,
          id: newId(),
          templateId,
          version: 1,
          environmentId: tenant.environments.production,
          notificationId: newId(),
          actorName: "Test",
          createdAt: new Date(),
        })),
      }),
    );
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => codeOf(sendTest(tenant.as("owner"), request(templateId)))),
    );
    expect(codes.sort()).toEqual(["", "", "", ...Array.from({ length: 5 }, () => "rate_limited")]);
    expect((await noted(its)).n).toBe(120);
  });

  it("counts what was accepted even if the answer was lost, and not what was refused", async () => {
    const its = await world();
    const { tenant } = its;
    const templateId = await templateOf(its, "order", "sms");
    expect(
      await codeOf(
        sendTest(tenant.as("owner"), {
          ...request(templateId),
          variables: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`v${String(i)}`, "1"])),
        }),
      ),
    ).not.toBe("");
    expect(await noted(its)).toEqual({ n: 0, lost: 0 });

    // For the waiting caller, the process ends once the message is accepted.
    const ctx = tenant.as("owner");
    const pool = new Proxy(ctx.db.pool, {
      get: (target, name) =>
        name === "query"
          ? async (statement: QueryConfig) => {
              const result = await target.query(statement);
              if (statement.text.includes("accept_sends")) throw new Error("the connection was lost");
              return result;
            }
          : (Reflect.get(target, name) as unknown),
    });
    await expect(sendTest({ ...ctx, db: { ...ctx.db, pool } }, request(templateId))).rejects.toThrow("lost");
    expect(await noted(its)).toEqual({ n: 1, lost: 0 });
  });
});

describe("a template whose kill switch is on", () => {
  it("is not sent any more, not even if it was accepted before", async () => {
    const its = await world();
    const { tenant } = its;
    const templateId = await templateOf(its, "order", "sms");
    const accepted = await its.send();
    const id = accepted.notifications[0]?.notificationId ?? "";
    await database.owner.query(
      "UPDATE template_deployments SET disabled = true WHERE tenant_id = $1 AND template_id = $2 AND environment_id = $3",
      [tenant.tenantId, templateId, tenant.environments.production],
    );
    await its.runJobs();
    expect(await its.notification(id)).toMatchObject({
      status: "rejected",
      reason_code: "template_disabled",
      attempts: 0,
    });
  });
});
