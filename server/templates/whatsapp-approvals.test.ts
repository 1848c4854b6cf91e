import { afterAll, describe, expect, it } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { testDatabase } from "../testing/database.ts";
import { FAKE_META, startFakeMeta } from "../testing/fake-meta.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { checkWhatsappApproval } from "./check-whatsapp-approval.ts";
import { createTemplate } from "./create-template.ts";
import { getTemplate } from "./get-template.ts";
import { templateGroupQuerySchema } from "./library-schemas.ts";
import { listTemplateGroups } from "./list-template-groups.ts";
import { listWhatsappApprovals } from "./list-whatsapp-approvals.ts";
import { recheckWhatsappApprovals } from "./recheck-whatsapp-approvals.ts";
import { templateCreateSchema, templateUpdateSchema } from "./schemas.ts";
import { setWhatsappApproval } from "./set-whatsapp-approval.ts";
import { updateTemplate } from "./update-template.ts";
import { takeDueApprovals } from "./whatsapp-approval-queries.ts";
import { approvalKey, approvalsOf } from "./whatsapp-approvals.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());

let contents = 0;
const content = () => `HX${(++contents).toString(16).padStart(32, "0")}`;
const minute = 60_000;

async function world() {
  const made = await makeSendingWorld(database);
  const { system } = made.tenant;
  const create = (metadata: Record<string, unknown>, ctx: Ctx = system, region?: string) =>
    createTemplate(
      ctx,
      templateCreateSchema.parse({
        application: "shop",
        name: `order-${String(++contents)}`,
        notificationType: "order",
        notificationSubtype: "receipt",
        channel: "whatsapp",
        region,
        body: "Hello",
        metadata,
      }),
    );
  const recheck = (now: Date) =>
    recheckWhatsappApprovals({ db: database.worker, http: made.http, log: logger(), now: () => now });
  const later = (minutes: number) => new Date(Date.now() + minutes * minute);
  const check = (templateId: string, templateName: string, ctx: Ctx = system) =>
    checkWhatsappApproval(ctx, { templateId, templateName, language: "" }, { http: made.http });
  const audited = async () => {
    const { rows } = await database.owner.query<{ data: Record<string, unknown>; actor_name: string }>(
      `SELECT data, actor_name FROM audit_events WHERE tenant_id = $1 AND action = 'template.whatsapp_approval_changed'
       ORDER BY id`,
      [made.tenantId],
    );
    return rows;
  };
  return { ...made, system, create, recheck, later, check, audited };
}

const refusal = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof DomainError)) throw new Error("not refused");
  return error;
};

describe("the approval of a WhatsApp template", () => {
  it("is unsubmitted when a version first names it, and missing when none does", async () => {
    const { system, create } = await world();
    const template = await create({ templateName: content(), language: "de" });
    expect(template.whatsappApproval).toEqual({
      status: "unsubmitted",
      reason: null,
      source: "provider",
      checkedAt: null,
      category: null,
      nextCategory: null,
      nextCategoryAt: null,
    });
    const plain = await updateTemplate(system, {
      ...templateUpdateSchema.parse({ body: "Hello", metadata: {} }),
      id: template.id,
    });
    expect(plain.whatsappApproval).toBeNull();
    expect((await getTemplate(system, { id: template.id, version: 1 })).whatsappApproval).not.toBeNull();
  });

  it("follows the provider by itself: pending, approved, rejected with its reason", async () => {
    const { system, create, recheck, later, addTwilio, addRule, audited } = await world();
    const twilio = await addTwilio(provider.baseUrl);
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    provider.setApproval(templateName, { status: "pending" });
    const { id } = await create({ templateName });
    const status = async () => (await getTemplate(system, { id })).whatsappApproval;
    await recheck(later(0));
    expect(await status()).toMatchObject({ status: "pending", source: "provider" });
    provider.setApproval(templateName, { status: "approved" });
    // Too early to ask again.
    await recheck(later(2));
    expect(await status()).toMatchObject({ status: "pending" });
    await recheck(later(5));
    expect(await status()).toMatchObject({ status: "approved", reason: null });
    provider.setApproval(templateName, { status: "rejected", rejection_reason: "ABUSIVE_CONTENT" });
    await recheck(later(60));
    expect(await status()).toMatchObject({ status: "approved" });
    await recheck(later(25 * 60));
    expect(await status()).toMatchObject({ status: "rejected", reason: "ABUSIVE_CONTENT" });
    expect(
      (await audited()).map(({ data, actor_name }) => [
        actor_name,
        (data.before as { status: string }).status,
        (data.after as { status: string }).status,
      ]),
    ).toEqual([
      ["WhatsApp approvals", "unsubmitted", "pending"],
      ["WhatsApp approvals", "pending", "approved"],
      ["WhatsApp approvals", "approved", "rejected"],
    ]);
  });

  it("is checked ever more rarely while nothing is decided", async () => {
    const { create, recheck, later, addTwilio, addRule } = await world();
    const twilio = await addTwilio(provider.baseUrl);
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    provider.setApproval(templateName, { status: "pending" });
    await create({ templateName });
    const before = provider.requests();
    for (let minutes = 0; minutes <= 24 * 60; minutes += 2) await recheck(later(minutes));
    const asked = provider.requests() - before;
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(25);
  });

  it("is claimed by only one run", async () => {
    const { create, recheck, later, addTwilio, addRule } = await world();
    const twilio = await addTwilio(provider.baseUrl);
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    provider.setApproval(templateName, { status: "pending" });
    await create({ templateName });
    const before = provider.requests();
    const now = later(0);
    await Promise.all([recheck(now), recheck(now), recheck(now)]);
    expect(provider.requests() - before).toBe(1);
  });

  it("is claimed from all organisations in turns, so that many of one do not keep the others waiting", async () => {
    const [many, few] = [await world(), await world()];
    await takeDueApprovals(database.worker, new Date(), 10_000);
    for (const region of ["AT", "CH", "DE"])
      await many.create({ templateName: content() }, undefined, region);
    await few.create({ templateName: content() });
    const askedAgo = (tenantId: string, time: string) =>
      database.owner.query(
        "UPDATE whatsapp_approvals SET checked_at = now() - $2::interval, updated_at = now() - $2::interval WHERE tenant_id = $1",
        [tenantId, time],
      );
    await askedAgo(many.tenantId, "2 hours");
    await askedAgo(few.tenantId, "1 hour");
    const claimed = await takeDueApprovals(database.worker, new Date(), 2);
    expect(new Set(claimed.map(({ tenantId }) => tenantId))).toEqual(new Set([many.tenantId, few.tenantId]));
  });

  it("waits for the next run when providers take too long: a run ends before long", async () => {
    const { create, http } = await world();
    await takeDueApprovals(database.worker, new Date(), 10_000);
    for (const region of ["AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FI", "FR"])
      await create({ templateName: content() }, undefined, region);
    const run = (claimMs: number) =>
      recheckWhatsappApprovals({ db: database.worker, http, log: logger(), claimMs });
    expect(await run(0)).toBe(8);
    expect(await run(60_000)).toBe(1);
  });

  it("is set by hand, by those who may write, with name and time, and then left alone", async () => {
    const { tenant, system, create, recheck, later, addTwilio, addRule, audited } = await world();
    const twilio = await addTwilio(provider.baseUrl);
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    provider.setApproval(templateName, { status: "pending" });
    const { id } = await create({ templateName });
    const set = {
      templateId: id,
      templateName,
      language: "",
      status: "rejected" as const,
      reason: "Too loud",
    };
    const author = tenant.as("template_author");
    const approval = await setWhatsappApproval(author, set);
    expect(approval).toMatchObject({
      status: "rejected",
      reason: "Too loud",
      source: "manual",
      updatedBy: author.actor.name,
    });
    expect((await audited())[0]).toMatchObject({ data: { after: { status: "rejected", source: "manual" } } });
    await recheck(later(48 * 60));
    expect((await getTemplate(system, { id })).whatsappApproval).toMatchObject({ status: "rejected" });
    expect((await listWhatsappApprovals(tenant.as("auditor"), { templateId: id })).data).toEqual([approval]);
    expect((await refusal(setWhatsappApproval(tenant.as("auditor"), set))).code).toBe("permission_denied");
    const colleague = tenant.as("template_author", tenant.units.beta);
    expect((await refusal(setWhatsappApproval(colleague, set))).code).toBe("not_found");
    const other = { ...set, templateName: "nobody" };
    expect((await refusal(setWhatsappApproval(author, other))).errors[0]?.pointer).toBe("/templateName");
  });

  it("set by hand while the provider is being asked is not replaced by its answer", async () => {
    const slow = await startFakeTwilio({ latencyMs: 500 });
    const { system, create, recheck, later, addTwilio, addRule } = await world();
    const twilio = await addTwilio(slow.baseUrl);
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    slow.setApproval(templateName, { status: "pending" });
    const { id } = await create({ templateName });
    const asking = recheck(later(0));
    while (slow.requests() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await setWhatsappApproval(system, { templateId: id, templateName, language: "", status: "approved" });
    await asking;
    await slow.close();
    expect((await getTemplate(system, { id })).whatsappApproval).toMatchObject({
      status: "approved",
      source: "manual",
    });
  });

  it("comes with a category for the template that was asked about, not for others that name the same", async () => {
    const meta = await startFakeMeta();
    const { system, create, http, addConnection, addRule } = await world();
    const { accessToken, phoneNumberId, wabaId } = FAKE_META;
    const connection = await addConnection({
      adapter: "meta",
      credentials: { accessToken, appSecret: "app-secret", verifyToken: "verify-token" },
      settings: { phoneNumberId, wabaId, version: "v23.0", baseUrl: meta.baseUrl },
      channels: ["whatsapp"],
      senders: [{ channel: "whatsapp", sender: "+4930123457" }],
    });
    await addRule("production", [[connection]], { channel: "whatsapp" });
    const named = { templateName: "order_shipped", language: "en_US" };
    const [asked, other] = [await create(named), await create(named, undefined, "DE")];
    meta.templates.push({ name: "order_shipped", language: "en_US", category: "MARKETING", components: [] });
    await checkWhatsappApproval(system, { templateId: asked.id, ...named }, { http });
    await meta.close();
    const category = async (id: string) => (await getTemplate(system, { id })).whatsappApproval?.category;
    expect(await category(asked.id)).toBe("marketing");
    expect(await category(other.id)).toBeNull();
  });

  it("has the announced category from its moment on, for gates as well", async () => {
    const { tenantId, system, create } = await world();
    const templateName = content();
    const { id } = await create({ templateName });
    await database.owner.query(
      `UPDATE whatsapp_approvals SET category = 'marketing', next_category = 'utility', next_category_at = now() - interval '1 minute'
       WHERE tenant_id = $1 AND template_id = $2`,
      [tenantId, id],
    );
    const known = await approvalsOf(system, [{ templateId: id, templateName, language: "" }]);
    expect([...known.values()]).toMatchObject([{ category: "utility", nextCategory: null }]);
  });

  it("reported by the provider is overruled only by those who may approve promotions, and by no save", async () => {
    const { tenant, system, create, recheck, later, addTwilio, addRule } = await world();
    const twilio = await addTwilio(provider.baseUrl);
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    provider.setApproval(templateName, { status: "rejected" });
    const { id } = await create({ templateName });
    await recheck(later(10));
    expect((await getTemplate(system, { id })).whatsappApproval).toMatchObject({
      status: "rejected",
      source: "provider",
    });
    const set = { templateId: id, templateName, language: "", status: "approved" as const };
    expect((await refusal(setWhatsappApproval(tenant.as("template_author"), set))).code).toBe(
      "permission_denied",
    );
    const saved = await updateTemplate(tenant.as("template_author"), {
      ...templateUpdateSchema.parse({
        body: "Hello again",
        metadata: { templateName, approvalStatus: "approved" },
      }),
      id,
    });
    expect(saved.whatsappApproval).toMatchObject({ status: "rejected" });
    expect(await setWhatsappApproval(tenant.as("owner"), set)).toMatchObject({ status: "approved" });
  });

  it("set in the metadata of a save counts as set by hand, and is not part of the version", async () => {
    const { system, create } = await world();
    const templateName = content();
    const made = await create({ templateName, approvalStatus: "rejected", rejectionReason: "Why not" });
    expect(made.whatsappApproval).toMatchObject({ status: "rejected", reason: "Why not", source: "manual" });
    expect(made.metadata).toEqual({ templateName });
    // Saving the returned metadata again does not undo later changes.
    await setWhatsappApproval(system, {
      templateId: made.id,
      templateName,
      language: "",
      status: "approved",
    });
    const next = await updateTemplate(system, {
      ...templateUpdateSchema.parse({ body: "Hello you", metadata: made.metadata }),
      id: made.id,
    });
    expect(next.whatsappApproval).toMatchObject({ status: "approved" });
  });

  it("cannot be set by a key of the sandbox: production's gate relies on it", async () => {
    const { create, tenant } = await world();
    const developer = tenant.as("developer");
    const inSandbox = {
      ...developer,
      grants: developer.grants.map((grant) => ({ ...grant, environmentId: tenant.environments.sandbox })),
    };
    const templateName = content();
    const said = await refusal(create({ templateName, approvalStatus: "approved" }, inSandbox));
    expect(said.code).toBe("environment_mismatch");
    const made = await create({ templateName }, inSandbox);
    expect(made.whatsappApproval).toMatchObject({ status: "unsubmitted" });
    const metadata = { templateName, approvalStatus: "approved" };
    const again = updateTemplate(inSandbox, {
      ...templateUpdateSchema.parse({ body: "Hello you", metadata }),
      id: made.id,
    });
    expect((await refusal(again)).code).toBe("environment_mismatch");
  });

  it("is checked immediately on request, but not again and again", async () => {
    const { create, check, addTwilio, addRule } = await world();
    const twilio = await addTwilio(provider.baseUrl, { name: "Twilio" });
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    const { id } = await create({ templateName });
    provider.setApproval(templateName, { status: "approved" });
    expect(await check(id, templateName)).toMatchObject({
      approval: { status: "approved", source: "provider" },
      connection: "Twilio",
      problem: null,
    });
    expect((await refusal(check(id, templateName))).code).toBe("rate_limited");
  });

  it("is never taken from the sandbox's simulator: then it cannot be checked", async () => {
    const { tenant, create, check } = await world();
    const { id } = await create({ templateName: "order_shipped" });
    await tenant.addSimulator(["sandbox"]);
    expect(await check(id, "order_shipped")).toMatchObject({
      approval: { status: "unsubmitted" },
      connection: null,
      problem: expect.stringContaining("by hand") as string,
    });
  });

  it("is decided by a simulator that stands on the way to people", async () => {
    const { tenant, create, recheck, later } = await world();
    const { id } = await create({ templateName: "order_shipped" });
    await tenant.addSimulator(["production"]);
    await recheck(later(0));
    expect((await getTemplate(tenant.system, { id })).whatsappApproval).toMatchObject({ status: "pending" });
    await recheck(later(10));
    expect((await getTemplate(tenant.system, { id })).whatsappApproval).toMatchObject({ status: "approved" });
  });

  it("is shown in the library, so that people see what cannot be sent", async () => {
    const { system, create } = await world();
    const { id, name } = await create({ templateName: content(), approvalStatus: "paused" });
    const { data } = await listTemplateGroups(system, templateGroupQuerySchema.parse({ search: name }));
    expect(data[0]?.variants).toMatchObject([{ id, whatsappApproval: "paused" }]);
    const others = await listTemplateGroups(system, templateGroupQuerySchema.parse({ search: "order-sms" }));
    expect(others.data[0]?.variants).toMatchObject([{ whatsappApproval: null }]);
  });

  it("stays as it was while the provider is down, and is read by reference", async () => {
    const { system, create, check, recheck, later, addTwilio, addRule } = await world();
    const twilio = await addTwilio("http://127.0.0.1:1");
    await addRule("production", [[twilio.id]], { channel: "whatsapp" });
    const templateName = content();
    const { id } = await create({ templateName });
    await setWhatsappApproval(system, { templateId: id, templateName, language: "", status: "approved" });
    const checked = await check(id, templateName);
    expect(checked).toMatchObject({ approval: { status: "approved", source: "manual" } });
    expect(checked.problem).not.toBeNull();
    await recheck(later(60));
    const reference = { templateId: id, templateName, language: "" };
    const known = await approvalsOf(system, [reference, { ...reference, language: "de" }]);
    expect([...known]).toEqual([
      [approvalKey(reference), { status: "approved", reason: null, category: null, nextCategory: null }],
    ]);
  });
});
