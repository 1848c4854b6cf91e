import { expect, test } from "vitest";
import { authenticateApiKey, forgetApiKeys } from "../access/authenticate-api-key.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { revokeApiKey } from "../access/revoke-api-key.ts";
import { rotateApiKey } from "../access/rotate-api-key.ts";
import { updateApiKey } from "../access/update-api-key.ts";
import type { ApiKeyCtx } from "../access/authenticate-api-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { approvePromotion } from "../pipelines/approve-promotion.ts";
import { createPromotion } from "../pipelines/create-promotion.ts";
import { deployPromotion } from "../pipelines/deploy-promotion.ts";
import { addContacts, addGroup } from "../testing/contacts.ts";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { archiveApplication } from "../workspace/change-application.ts";
import { cancelNotification } from "./cancel-notification.ts";
import { approveSend, refuseSend } from "./decide-approval.ts";
import { expireApprovals } from "./expire-approvals.ts";
import { explainSend } from "./explain-send.ts";
import { getTimeline } from "./get-timeline.ts";
import { countApprovals, getApproval, listApprovals } from "./list-approvals.ts";
import { resumeBroadcast, startBroadcast } from "./manage-broadcasts.ts";
import { orderOfSend } from "./orders.ts";
import { sendRequestSchema } from "./schemas.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const ada = "+4915112345678";
const to = (...addresses: string[]) => ({
  recipients: addresses.map((recipient) => ({
    channel: recipient.includes("@") ? ("email" as const) : ("sms" as const),
    recipient,
  })),
});

interface Limits {
  recipients?: string[];
  hourlyCap?: number;
  laterStages?: boolean;
}

async function makeWorld() {
  const world = await makeSendingWorld(database, { settings: { ai: { allowWithoutAi: true } } });
  const { tenant } = world;
  await tenant.addSimulator();
  const member = await tenant.addMember("owner");
  const olga: Ctx = {
    ...tenant.as("owner"),
    actor: { type: "user", id: member.id, email: member.email, name: "Olga" },
  };
  /** A key of an agent for application "shop", and its ctx as a request has it. */
  async function agent(
    environment: "production" | "staging" | "sandbox",
    limits: Limits = {},
  ): Promise<{ id: string; key: string; ctx: () => Promise<ApiKeyCtx> }> {
    const { id, key } = await createApiKey(olga, {
      name: "Assistant",
      environmentId: tenant.environments[environment],
      applicationId: tenant.application.id,
      role: "owner",
      agent: {
        recipients: ["+49151*", "*@example.com"],
        hourlyCap: 100,
        laterStages: environment === "production",
        ...limits,
      },
    });
    return {
      id,
      key,
      ctx: () => authenticateApiKey(database.web, `Bearer ${key}`, { requestId: newId() }),
    };
  }
  const sendAs = async (
    who: { ctx: () => Promise<Ctx> },
    environment: "production" | "staging" | "sandbox",
    fields: SendFields = {},
  ) => world.send(fields, { environment, ctx: await who.ctx() });
  const approvals = async (ctx: Ctx = olga) => (await listApprovals(ctx, { decided: false, limit: 50 })).data;
  return { ...world, olga, agent, sendAs, approvals };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "allowed",
    (error: unknown) => (error as { code: string }).code,
  );

test("an agent writes to whom it may: other recipients are rejected beside them, and alone they are refused", async () => {
  const { agent, sendAs, notification } = await makeWorld();
  const assistant = await agent("staging");
  const accepted = await sendAs(
    assistant,
    "staging",
    to(ada, "Ada@Example.com", "+4917612345678", "ada@example.com.evil.example", "ada@sub.example.com"),
  );
  expect(accepted.notifications.map(({ status, reason }) => reason?.code ?? status)).toEqual([
    "queued",
    "queued",
    "recipient_not_allowed",
    "recipient_not_allowed",
    "recipient_not_allowed",
  ]);
  expect(await notification(messageId(accepted, 2))).toMatchObject({ status: "rejected", due_at: null });
  expect(await codeOf(sendAs(assistant, "staging", to("+4917612345678")))).toBe("agent_limit");
});

test("an agent sends in the sandbox and the first stage, and elsewhere only where that was allowed", async () => {
  const { agent, sendAs } = await makeWorld();
  expect(await codeOf(sendAs(await agent("sandbox"), "sandbox"))).toBe("allowed");
  expect(await codeOf(sendAs(await agent("staging"), "staging"))).toBe("allowed");
  const fenced = await agent("production", { laterStages: false });
  expect(await codeOf(sendAs(fenced, "production"))).toBe("agent_limit");
  expect(await codeOf(sendAs(await agent("staging"), "production"))).toBe("unknown_application");
});

test("the hourly cap is hard, however many requests come at once, and counts a repetition once", async () => {
  const { agent, sendAs } = await makeWorld();
  const assistant = await agent("staging", { hourlyCap: 10 });
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, () => codeOf(sendAs(assistant, "staging", to(ada)))),
  );
  expect(outcomes.filter((code) => code === "allowed")).toHaveLength(10);
  expect(outcomes.filter((code) => code === "rate_limited")).toHaveLength(30);
  const { rows } = await database.owner.query<{ count: string }>(
    "SELECT count(*) FROM send_requests WHERE actor_id = $1",
    [assistant.id],
  );
  expect(rows[0]?.count).toBe("10");

  const second = await agent("staging", { hourlyCap: 3 });
  const transactionId = newId();
  for (let i = 0; i < 5; i++) await sendAs(second, "staging", { ...to(ada, "a@example.com"), transactionId });
  expect((await sendAs(second, "staging", to(ada))).notifications).toHaveLength(1);
  expect(await codeOf(sendAs(second, "staging", to(ada)))).toBe("rate_limited");
  // The first answer is repeated even now.
  expect(await sendAs(second, "staging", { ...to(ada, "a@example.com"), transactionId })).toMatchObject({
    replayed: true,
  });
  // A request that is too large for what is left writes nothing.
  const third = await agent("staging", { hourlyCap: 2 });
  expect(await codeOf(sendAs(third, "staging", to(ada, "a@example.com", "b@example.com")))).toBe(
    "rate_limited",
  );
  expect(await codeOf(sendAs(third, "staging", to(ada)))).toBe("allowed");
});

test("the cap is the agent's, not the key's: a rotation gives no more, nor does the turn of an hour", async () => {
  const { agent, sendAs, olga, tenant } = await makeWorld();
  const assistant = await agent("staging", { hourlyCap: 2 });
  await sendAs(assistant, "staging", to(ada));
  const next = await rotateApiKey(olga, { id: assistant.id });
  const successor = {
    ctx: () => authenticateApiKey(database.web, `Bearer ${next.key}`, { requestId: newId() }),
  };
  await sendAs(successor, "staging", to(ada));
  expect(await codeOf(sendAs(successor, "staging", to(ada)))).toBe("rate_limited");
  expect(await codeOf(sendAs(assistant, "staging", to(ada)))).toBe("rate_limited");
  const age = (minutes: number) =>
    database.owner.query(
      "UPDATE agent_minutes SET minute = minute - make_interval(mins => $2) WHERE tenant_id = $1",
      [tenant.tenantId, minutes],
    );
  await age(59);
  expect(await codeOf(sendAs(successor, "staging", to(ada)))).toBe("rate_limited");
  await age(2);
  expect(await codeOf(sendAs(successor, "staging", to(ada)))).toBe("allowed");
  const { rows } = await database.owner.query("SELECT 1 FROM agent_minutes WHERE tenant_id = $1", [
    tenant.tenantId,
  ]);
  expect(rows).toHaveLength(1);
});

test("a cap that is lowered counts for requests that still know the old one", async () => {
  const { agent, olga, send } = await makeWorld();
  const assistant = await agent("staging", { hourlyCap: 5 });
  const before = await assistant.ctx();
  await updateApiKey(olga, { id: assistant.id, agent: { hourlyCap: 1 } });
  expect(await codeOf(send(to(ada), { environment: "staging", ctx: before }))).toBe("allowed");
  expect(await codeOf(send(to(ada), { environment: "staging", ctx: before }))).toBe("rate_limited");
});

test("what an agent sends to production waits for a person, is approved, and is delivered", async () => {
  const { agent, sendAs, runJobs, notification, events, olga, tenant, approvals, waitingJobs } =
    await makeWorld();
  const hook = await createWebhookEndpoint(tenant.system, {
    environmentId: tenant.environments.production,
    application: "shop",
    url: "https://8.8.8.8/hooks",
    events: [],
  });
  const assistant = await agent("production");
  const accepted = await sendAs(assistant, "production", to(ada, "ada@example.com"));
  expect(accepted.notifications.map(({ status }) => status)).toEqual([
    "pending_approval",
    "pending_approval",
  ]);
  const id = messageId(accepted);
  await runJobs();
  expect(await notification(id)).toMatchObject({ status: "pending_approval", attempts: 0, due_at: null });
  expect(await waitingJobs(id)).toEqual([]);
  const [waiting] = await approvals();
  expect(waiting).toMatchObject({
    id: accepted.requestId,
    state: "waiting",
    key: { id: assistant.id, name: "Assistant", owner: "Owner", ended: false },
    messages: 2,
    to: ada,
    mayApprove: true,
  });
  expect(await countApprovals(olga)).toEqual({ waiting: 1 });
  const details = await getApproval(olga, { id: accepted.requestId });
  expect(details.previews.map(({ preview }) => preview?.text)).toEqual([
    expect.stringContaining("4711"),
    expect.stringContaining("4711"),
  ]);

  const before = Date.now();
  expect(await approveSend(olga, { id: accepted.requestId })).toMatchObject({
    state: "approved",
    decidedBy: "Olga",
  });
  await runJobs();
  const after = await notification(id);
  expect(["sent", "delivered"]).toContain(after.status);
  expect((await events(id)).map(({ type }) => type).slice(0, 3)).toEqual([
    "pending_approval",
    "queued",
    "sending",
  ]);
  // Its time to live, a day for this class, began with the approval.
  expect((after as unknown as { expires_at: Date }).expires_at.getTime()).toBeGreaterThanOrEqual(
    before + 86_400_000,
  );
  const { rows } = await database.owner.query<{ event: string }>(
    "SELECT event FROM webhook_deliveries WHERE endpoint_id = $1 AND notification_id = $2 ORDER BY sequence",
    [hook.id, id],
  );
  expect(rows.map(({ event }) => event).slice(0, 2)).toEqual([
    "notification.pending_approval",
    "notification.queued",
  ]);
  expect(await approvals()).toEqual([]);
  expect((await listApprovals(olga, { decided: true, limit: 50 })).data).toMatchObject([
    { state: "approved" },
  ]);
  const audit = await database.owner.query<{ action: string; actor_name: string }>(
    "SELECT action, actor_name FROM audit_events WHERE target_id = $1",
    [accepted.requestId],
  );
  expect(audit.rows).toEqual([{ action: "send.approved", actor_name: "Olga" }]);
});

test("over REST the state is part of the contract, and a repetition gets the first answer after the approval, too", async () => {
  const { agent, olga, runJobs } = await makeWorld();
  const { key } = await agent("production");
  const json = sendBody(to(ada));
  const first = await rest.post<{ requestId: string; notifications: { notificationId: string }[] }>(
    "/api/app/notifications/send",
    { key, json },
  );
  expect(first).toMatchObject({ status: 202, body: { notifications: [{ status: "pending_approval" }] } });
  const id = first.body.notifications[0]!.notificationId;
  expect((await rest.get(`/v1/notifications/${id}`, { key })).body).toMatchObject({
    status: "pending_approval",
    final: false,
    events: [{ type: "pending_approval" }],
  });
  expect((await rest.get("/v1/notifications?status=pending_approval", { key })).body).toMatchObject({
    data: [{ notificationId: id }],
  });
  await approveSend(olga, { id: first.body.requestId });
  await runJobs();
  const again = await rest.post("/api/app/notifications/send", { key, json });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const created = await rest.post("/v1/notifications", {
    key,
    json: { channel: "sms", to: ada, template: "order-sms", variables: { code: "1" } },
  });
  expect(created).toMatchObject({ status: 202, body: { status: "pending_approval" } });
});

test("consent, suppressions and the kill switch count as they are at the approval", async () => {
  const { agent, sendAs, runJobs, notification, olga, tenant } = await makeWorld();
  const assistant = await agent("production");
  const accepted = await sendAs(assistant, "production", to("gone@example.com", "fine@example.com"));
  await database.owner.query(
    `INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason, created_at)
     VALUES ($1, $2, false, 'email', 'gone@example.com', 'hard_bounce', now())`,
    [tenant.tenantId, newId()],
  );
  await approveSend(olga, { id: accepted.requestId });
  await runJobs();
  expect(await notification(messageId(accepted))).toMatchObject({
    status: "rejected",
    reason_code: "suppressed",
  });
  expect((await notification(messageId(accepted, 1))).status).not.toBe("rejected");

  const switched = await sendAs(assistant, "production", to(ada));
  await database.owner.query("UPDATE template_deployments SET disabled = true WHERE tenant_id = $1", [
    tenant.tenantId,
  ]);
  await approveSend(olga, { id: switched.requestId });
  await runJobs();
  expect(await notification(messageId(switched))).toMatchObject({
    status: "rejected",
    reason_code: "template_disabled",
  });
});

test("a refusal ends the messages with its reason, and of two decisions one counts", async () => {
  const { agent, sendAs, notification, olga } = await makeWorld();
  const assistant = await agent("production");
  const accepted = await sendAs(assistant, "production", to(ada));
  await refuseSend(olga, { id: accepted.requestId, reason: "Wrong order" });
  expect(await notification(messageId(accepted))).toMatchObject({
    status: "rejected",
    reason_code: "approval_refused",
    reason_detail: "Rejected by Olga: Wrong order",
  });
  expect(await codeOf(approveSend(olga, { id: accepted.requestId }))).toBe("conflict");

  const second = await sendAs(assistant, "production", to(ada));
  const decisions = await Promise.all([
    codeOf(approveSend(olga, { id: second.requestId })),
    codeOf(refuseSend(olga, { id: second.requestId, reason: "No" })),
    codeOf(approveSend(olga, { id: second.requestId })),
  ]);
  expect(decisions.toSorted()).toEqual(["allowed", "conflict", "conflict"]);
});

test("nobody but a person approves, nobody what they cannot read, and another team or organisation knows nothing of it", async () => {
  const { agent, sendAs, tenant, olga, approvals } = await makeWorld();
  const assistant = await agent("production");
  const { requestId: id } = await sendAs(assistant, "production", to(ada));
  const key = await tenant.makeKey("production", { role: "owner" });
  const keyCtx = await authenticateApiKey(database.web, `Bearer ${key.key}`, { requestId: "t" });
  for (const ctx of [keyCtx, await assistant.ctx(), tenant.system]) {
    expect(await codeOf(approveSend(ctx, { id }))).toBe("permission_denied");
    expect(await codeOf(refuseSend(ctx, { id, reason: "x" }))).toBe("permission_denied");
  }
  const administrator = tenant.as("administrator");
  expect(await codeOf(approveSend(administrator, { id }))).toBe("permission_denied");
  expect(await getApproval(administrator, { id })).toMatchObject({
    to: "+49•••78",
    revealed: false,
    previews: [],
    recipients: [{ to: "+49•••78" }],
    mayApprove: false,
  });
  expect(await codeOf(approveSend(tenant.as("auditor"), { id }))).toBe("permission_denied");
  const others = await makeWorld();
  for (const ctx of [tenant.as("owner", tenant.units.beta), others.olga]) {
    expect(await codeOf(getApproval(ctx, { id }))).toBe("not_found");
    expect(await codeOf(approveSend(ctx, { id }))).toBe("not_found");
    expect(await approvals(ctx)).toEqual([]);
    expect(await countApprovals(ctx)).toEqual({ waiting: 0 });
  }
  expect(await codeOf(approveSend(tenant.as("owner", tenant.units.alpha), { id }))).toBe("allowed");
  expect(olga).toBeDefined();
});

test("an agent approves no promotion either, whatever its role", async () => {
  const { agent, addTemplate, tenant } = await makeWorld();
  const templateId = await addTemplate({
    name: "staged",
    notificationType: "order",
    notificationSubtype: "receipt",
    channel: "email",
    region: "FR",
    body: "Order {{ code }}",
    environments: ["staging"],
  });
  const { id } = await createPromotion(tenant.as("developer"), {
    application: "shop",
    to: "production",
    templates: [{ templateId }],
    automatic: true,
  });
  const { ctx } = await agent("production");
  const caller = await ctx();
  expect(await codeOf(approvePromotion(caller, { id }))).toBe("permission_denied");
  // Not even if its role came back by some other way.
  const all = tenant.as("owner").grants;
  expect(await codeOf(approvePromotion({ ...caller, grants: all }, { id }))).toBe("permission_denied");
});

test("an agent brings nothing to production where the stage asks nobody, also not what its owner requested", async () => {
  const { agent, addTemplate, tenant, olga } = await makeWorld();
  const staged = (region: string) =>
    addTemplate({
      name: `staged-${region}`,
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "email",
      region,
      body: "Order {{ code }}",
      environments: ["staging"],
    });
  const wish = async (region: string, automatic: boolean) => ({
    application: "shop",
    to: "production",
    templates: [{ templateId: await staged(region) }],
    automatic,
  });
  const { ctx } = await agent("production");
  const caller = await ctx();
  // With an approval a person reads it first.
  expect(await createPromotion(caller, await wish("FR", true))).toMatchObject({ state: "pending" });
  await database.owner.query(
    "UPDATE pipeline_stages SET gates = gates || '{\"approvals\": 0}' WHERE tenant_id = $1",
    [tenant.tenantId],
  );
  expect(await codeOf(createPromotion(caller, await wish("IT", true)))).toBe("agent_limit");
  expect(await codeOf(createPromotion(caller, await wish("ES", false)))).toBe("agent_limit");
  const { id } = await createPromotion(olga, await wish("PT", false));
  expect(await codeOf(deployPromotion(caller, { id }))).toBe("agent_limit");
  expect(await deployPromotion(olga, { id })).toMatchObject({ state: "deployed" });
});

test("what nobody decides in time expires, and so do messages whose own time is over", async () => {
  const { agent, sendAs, notification, passTime, olga, tenant, approvals } = await makeWorld();
  const assistant = await agent("production");
  const accepted = await sendAs(assistant, "production", to(ada));
  const hasty = await sendAs(assistant, "production", {
    ...to(ada),
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const age = (hours: number) =>
    database.owner.query(
      "UPDATE send_approvals SET expires_at = expires_at - make_interval(hours => $2) WHERE tenant_id = $1",
      [tenant.tenantId, hours],
    );
  await age(2);
  await passTime(1);
  expect(await codeOf(approveSend(olga, { id: hasty.requestId }))).toBe("conflict");
  expect(await expireApprovals(database.worker)).toBe(1);
  expect(await notification(messageId(hasty))).toMatchObject({
    status: "expired",
    reason_code: "approval_expired",
  });
  expect((await approvals()).map(({ id }) => id)).toEqual([accepted.requestId]);
  await age(71);
  expect(await expireApprovals(database.worker)).toBe(1);
  expect(await expireApprovals(database.worker)).toBe(0);
  expect(await notification(messageId(accepted))).toMatchObject({ status: "expired" });
});

test("what cannot be ended, and very much of one organisation, keep no other's from expiring", async () => {
  const [flood, other] = [await makeWorld(), await makeWorld()];
  const sent = await Promise.all(
    [flood, other].map(async (world) => world.sendAs(await world.agent("production"), "production", to(ada))),
  );
  const [floods, others] = [flood.tenant.tenantId, other.tenant.tenantId];
  await database.owner.query(
    "UPDATE send_approvals SET expires_at = now() - interval '1 hour' WHERE tenant_id = ANY ($1)",
    [[floods, others]],
  );
  // Older ones than the other's, more than one run takes, and each of them fails.
  await database.owner.query(
    `INSERT INTO send_approvals (tenant_id, request_id, environment_id, application_id, unit_id, api_key_id, api_key_name, messages, expires_at, created_at)
     SELECT tenant_id, gen_random_uuid(), environment_id, application_id, unit_id, api_key_id, api_key_name, 1, now() - interval '2 days', created_at
     FROM send_approvals, generate_series(1, 250) WHERE tenant_id = $1`,
    [floods],
  );
  await database.owner.query(
    `CREATE FUNCTION refuse_approval() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON send_approvals FOR EACH ROW
       WHEN (NEW.tenant_id = '${floods}') EXECUTE FUNCTION refuse_approval()`,
  );
  expect(await expireApprovals(database.worker)).toBe(1);
  expect(await other.notification(messageId(sent[1]!))).toMatchObject({ status: "expired" });
  expect(await flood.notification(messageId(sent[0]!))).toMatchObject({ status: "pending_approval" });
  await database.owner.query(
    "DROP TRIGGER refuse ON send_approvals; DROP FUNCTION refuse_approval(); DELETE FROM send_approvals WHERE expires_at < now() - interval '1 day'",
  );
  expect(await expireApprovals(database.worker)).toBe(1);
  expect(await flood.notification(messageId(sent[0]!))).toMatchObject({ status: "expired" });
});

test("a message that names its end keeps it, and a scheduled one waits for its time after the approval", async () => {
  const { agent, sendAs, notification, olga, runJobs } = await makeWorld();
  const assistant = await agent("production");
  const hour = 3_600_000;
  const expiresAt = new Date(Date.now() + 2 * hour);
  const ending = await sendAs(assistant, "production", { ...to(ada), expiresAt: expiresAt.toISOString() });
  await approveSend(olga, { id: ending.requestId });
  expect(await notification(messageId(ending))).toMatchObject({ expires_at: expiresAt, status: "queued" });
  const scheduledAt = new Date(Date.now() + hour);
  const later = await sendAs(assistant, "production", { ...to(ada), scheduledAt: scheduledAt.toISOString() });
  expect(await notification(messageId(later))).toMatchObject({ status: "pending_approval", due_at: null });
  await approveSend(olga, { id: later.requestId });
  await runJobs();
  expect(await notification(messageId(later))).toMatchObject({
    status: "scheduled",
    due_at: scheduledAt,
    scheduled_at: scheduledAt,
    expires_at: new Date(scheduledAt.getTime() + 24 * hour),
  });
});

test("a waiting message can be canceled, and a request without any waits no longer", async () => {
  const { agent, sendAs, olga, approvals, runJobs, notification } = await makeWorld();
  const assistant = await agent("production");
  const accepted = await sendAs(assistant, "production", to(ada, "ada@example.com"));
  const [first, second] = [messageId(accepted), messageId(accepted, 1)];
  expect((await getTimeline(olga, { id: first })).canCancel).toBe(true);
  await cancelNotification(await assistant.ctx(), { id: first });
  expect(await approvals()).toHaveLength(1);
  await approveSend(olga, { id: accepted.requestId });
  await runJobs();
  expect(await notification(first)).toMatchObject({ status: "canceled" });
  expect((await notification(second)).status).toMatch(/sent|delivered/);

  const whole = await sendAs(assistant, "production", to(ada, "ada@example.com"));
  await Promise.all([0, 1].map((index) => cancelNotification(olga, { id: messageId(whole, index) })));
  expect(await approvals()).toEqual([]);
  expect(await codeOf(approveSend(olga, { id: whole.requestId }))).toBe("conflict");
});

test("what a revoked key asked for, or is for an archived application, is not approved", async () => {
  const { agent, sendAs, olga, tenant } = await makeWorld();
  const assistant = await agent("production");
  const { requestId: id } = await sendAs(assistant, "production", to(ada));
  await revokeApiKey(olga, { id: assistant.id });
  expect(await codeOf(approveSend(olga, { id }))).toBe("conflict");
  expect(await getApproval(olga, { id })).toMatchObject({ key: { ended: true } });
  await refuseSend(olga, { id, reason: "Its key was revoked" });
  const other = await agent("production");
  const { requestId } = await sendAs(other, "production", to(ada));
  await archiveApplication(olga, { id: tenant.application.id, archived: true });
  expect(await codeOf(approveSend(olga, { id: requestId }))).toBe("conflict");
});

test("explaining says that a person would be asked, and what the agent may not do", async () => {
  const { agent, tenant } = await makeWorld();
  const { ctx } = await agent("production");
  const explain = async (who: Ctx, ...addresses: string[]) =>
    explainSend(
      who,
      orderOfSend(tenant.environments.production, sendRequestSchema.parse(sendBody(to(...addresses)))),
    );
  expect(await explain(await ctx(), ada, "+4917612345678")).toMatchObject({
    needsApproval: true,
    messages: [
      { outcome: "would_send" },
      { outcome: "would_reject", reason: { code: "recipient_not_allowed" } },
    ],
  });
  expect(await explain(tenant.as("owner"), ada)).toMatchObject({ needsApproval: false });
});

test("the list pages to its end, newest first", async () => {
  const { agent, sendAs, olga } = await makeWorld();
  const assistant = await agent("production");
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await sendAs(assistant, "production", to(ada))).requestId);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listApprovals(olga, { decided: false, limit: 2, cursor });
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(ids);
});

test("an agent holds a person's broadcast back, and neither lets it go nor speeds it up", async () => {
  const { agent, olga, send, sendAs, tenant } = await makeWorld();
  await addGroup(database, tenant.tenantId, "All", await addContacts(database, tenant.tenantId, 3));
  const toGroup = { recipients: [], contactGroups: [{ group: "All", channels: ["sms" as const] }] };
  const assistant = await agent("production");
  const { key } = assistant;
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  for (const fields of [toGroup, { ...toGroup, scheduledAt }])
    expect(await codeOf(sendAs(assistant, "production", fields))).toBe("permission_denied");

  const { requestId: id } = await send(toGroup, { ctx: olga });
  const path = `/v1/broadcasts/${id}`;
  const refused = { status: 403, body: { code: "agent_limit" } };
  const rate = (ratePerSecond: number | null) => rest.patch(path, { key, json: { ratePerSecond } });
  expect(await rate(5)).toMatchObject({ status: 200, body: { ratePerSecond: 5 } });
  expect(await rate(6)).toMatchObject(refused);
  expect(await rate(null)).toMatchObject(refused);
  expect(await rate(5)).toMatchObject({ status: 200 });
  expect(await rate(4)).toMatchObject({ status: 200, body: { ratePerSecond: 4 } });
  expect(await rest.post(`${path}/pause`, { key })).toMatchObject({ status: 200, body: { state: "paused" } });
  expect(await rest.post(`${path}/resume`, { key })).toMatchObject(refused);
  expect((await resumeBroadcast(olga, { id })).state).not.toBe("paused");
  // Also when nothing is paused.
  expect(await rest.post(`${path}/resume`, { key })).toMatchObject(refused);
  expect(await rest.post(`${path}/cancel`, { key })).toMatchObject({ status: 200 });

  const draft = await send(toGroup, { ctx: olga });
  await database.owner.query("UPDATE broadcasts SET draft = true, state = 'ready' WHERE request_id = $1", [
    draft.requestId,
  ]);
  expect(await codeOf(startBroadcast(await assistant.ctx(), { id: draft.requestId }))).toBe("agent_limit");
  expect(await codeOf(startBroadcast(olga, { id: draft.requestId }))).toBe("allowed");
});

test("ordinary keys and people are held by none of it", async () => {
  const { tenant, send } = await makeWorld();
  const { key } = await tenant.makeKey("production", { applicationId: tenant.application.id });
  forgetApiKeys();
  const ctx = await authenticateApiKey(database.web, `Bearer ${key}`, { requestId: "t" });
  const accepted = await send(to("+4917612345678"), { ctx });
  expect(accepted.notifications).toMatchObject([{ status: "queued" }]);
  const { rows } = await database.owner.query("SELECT 1 FROM agent_minutes WHERE tenant_id = $1", [
    tenant.tenantId,
  ]);
  expect(rows).toEqual([]);
});

test("who may decide is told once that an agent waits, however much it asks for, until it is decided", async () => {
  const { agent, sendAs, approvals, olga, tenant } = await makeWorld();
  const nobody = await tenant.addMember("auditor");
  const notices = async () =>
    (
      await database.owner.query<{ user_id: string; kind: string; read: boolean }>(
        `SELECT user_id, kind, read_at IS NOT NULL AS read FROM notices WHERE tenant_id = $1 AND kind LIKE 'send.%' ORDER BY id`,
        [tenant.tenantId],
      )
    ).rows;
  const assistant = await agent("production");
  await sendAs(assistant, "staging").catch(() => undefined);
  expect(await notices()).toEqual([]);
  for (const _ of [1, 2, 3]) await sendAs(assistant, "production", to(ada));
  const told = await notices();
  expect(told.map(({ user_id }) => user_id)).toContain(olga.actor.id);
  expect(told.map(({ user_id }) => user_id)).not.toContain(nobody.id);
  expect(new Set(told.map(({ user_id }) => user_id)).size).toBe(told.length);

  const [first, ...rest] = await approvals();
  await approveSend(olga, { id: first?.id ?? "" });
  expect((await notices()).some(({ read }) => read)).toBe(false);
  for (const { id } of rest) await refuseSend(olga, { id, reason: "No" });
  expect((await notices()).every(({ read }) => read)).toBe(true);
  // Of what is asked for afterwards they hear again.
  await sendAs(assistant, "production", to(ada));
  expect(await notices()).toHaveLength(2 * told.length);
});
