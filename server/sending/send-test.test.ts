import { describe, expect, it } from "vitest";
import { recordConsent } from "../consent/record-consent.ts";
import { suppressAddress } from "../contacts/suppress-address.ts";
import { DomainError } from "../kernel/errors.ts";
import { inTenant } from "../kernel/db.ts";
import { updateTemplate } from "../templates/update-template.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
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

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

describe("a version sent to oneself", () => {
  it("is the version that was asked for, live or not, and counts as tested once a provider took it", async () => {
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

  it("counts for nothing in the sandbox, whose simulator takes everything", async () => {
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

  it("needs no recorded consent, for who sends to themselves has given it, but heeds refusals and suppressions", async () => {
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

    // Nobody has shown that the address is theirs: what its owner has refused stays refused, on the way as well.
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
        sendTest(tenant.as(role), {
          templateId,
          environment,
          to: "+4915112345678",
          variables: { code: "1" },
        }),
      );
    expect(await test("template_author", "staging")).toBe("");
    expect(await test("template_author", "sandbox")).toBe("");
    expect(await test("template_author", "production")).toBe("permission_denied");
    expect(await test("operator", "production")).toBe("");
    expect(await test("auditor", "staging")).toBe("permission_denied");
    expect(await test("owner", "nowhere")).toBe("invalid_request");
  });
});

describe("a template whose kill switch is on", () => {
  it("is not sent any more, not even what was accepted before", async () => {
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
