import { describe, expect, it } from "vitest";
import { contactOperations } from "../contacts/operations.ts";
import { consentOperations } from "../consent/operations.ts";
import { suppressionOperations } from "../consent/suppression-operations.ts";
import { conversationOperations } from "../conversations/operations.ts";
import { exportOperations } from "../exports/operations.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { listNotifications } from "../sending/list-notifications.ts";
import { notificationOperations } from "../sending/operations.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { contracts } from "./contracts.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const world = await makeSendingWorld(database);
const { tenant } = world;
const environmentId = tenant.environments.production;
const known = "+4915112345678";
const unknown = "+4915112345679";
const owner = tenant.as("owner");
const sent = await world.send({ recipients: [{ channel: "sms", recipient: known }] });
/** Roles that read messages, consent and contacts: one sees addresses, the other does not. */
const { key: seeing } = await tenant.makeKey("production", { role: "operator" });
const { key: blind } = await tenant.makeKey("production", { role: "auditor" });
await rest.post("/v1/contacts", {
  key: seeing,
  json: { name: "Ada", addresses: [{ channel: "sms", address: known }] },
});
await rest.post("/v1/suppressions", {
  key: seeing,
  json: { suppressions: [{ channel: "sms", address: known }] },
});

const searches: Record<string, (address: string) => Parameters<typeof rest.call>> = {
  "listNotifications to": (to) => ["GET", `/v1/notifications?to=${encodeURIComponent(to)}`],
  "listConversations address": (to) => ["GET", `/v1/conversations?address=${encodeURIComponent(to)}`],
  "listContacts search": (to) => ["GET", `/v1/contacts?search=${encodeURIComponent(to)}`],
  "getConsents address": (to) => ["GET", `/v1/consents?address=${encodeURIComponent(to)}`],
  "listSuppressions address": (to) => ["GET", `/v1/suppressions?address=${encodeURIComponent(to)}`],
  "createExport to": (to) => ["POST", "/v1/exports", { json: { kind: "messages", filter: { to } } }],
  "createExport search": (search) => [
    "POST",
    "/v1/exports",
    { json: { kind: "messages", filter: { search } } },
  ],
};

describe("a search by an address over REST", () => {
  it.each(Object.entries(searches))("%s tells those who see none nothing", async (_, request) => {
    const answers = await Promise.all(
      [known, unknown].map(async (address) => {
        const [method, url, options] = request(address);
        return rest.call<Problem>(method, url, { ...options, key: blind });
      }),
    );
    for (const { status, body } of answers) {
      expect({ status, code: body.code }).toEqual({ status: 403, code: "permission_denied" });
      expect(body.detail).toContain("content:reveal");
    }
    const [method, url, options] = request(known);
    const answer = await rest.call(method, url, { ...options, key: seeing });
    expect(answer.status, answer.text).toBeLessThan(300);
  });

  it.each(["/v1/notifications?to=", "/v1/contacts?search=", "/v1/suppressions?address="])(
    "%s finds a number in each form in which people write it",
    async (url) => {
      for (const form of [
        known,
        "4915112345678",
        "0049 151 12345678",
        "+49 (0)151 / 123-456.78",
        "0151 12345678",
      ]) {
        const { status, body } = await rest.call<{ data: unknown[] }>("GET", url + encodeURIComponent(form), {
          key: seeing,
        });
        expect([status, body.data.length], form).toEqual([200, 1]);
      }
      const none = await rest.call<{ data: unknown[] }>("GET", url + encodeURIComponent("0151 12345679"), {
        key: seeing,
      });
      expect(none.body.data).toEqual([]);
    },
  );

  it("is every query parameter by which addresses can be looked for", () => {
    const named = contracts.flatMap(({ operationId, query }) =>
      query && "shape" in query
        ? Object.keys(query.shape as object)
            .filter((name) => /^(?:to|from|address|recipient|search|q|prefix)$/.test(name))
            .map((name) => `${operationId} ${name}`)
        : [],
    );
    // Periods, texts of templates, names of groups; and the audit trail, whose readers look for tokens of addresses.
    const others = [
      "getDeliveryReport from",
      "getDeliveryReport to",
      "getCostReport from",
      "getCostReport to",
      "listTemplates search",
      "listContactGroups search",
      "listAuditEvents from",
      "listAuditEvents to",
      "listAuditEvents q",
    ];
    expect(named.filter((each) => !others.includes(each)).sort()).toEqual(
      Object.keys(searches)
        .filter((each) => !each.startsWith("createExport"))
        .sort(),
    );
  });
});

describe("a search by an address in the portal", () => {
  const place = { environmentId, limit: 10 };
  const portal: Record<string, (ctx: Ctx, address: string) => Promise<unknown>> = {
    "notifications.list": (ctx, search) => notificationOperations.list.call(ctx, { ...place, search }),
    "notifications.count": (ctx, search) => notificationOperations.count.call(ctx, { environmentId, search }),
    "contacts.list": (ctx, search) => contactOperations.list.call(ctx, { limit: 10, search }),
    "consent.ofAddress": (ctx, address) => consentOperations.ofAddress.call(ctx, { ...place, address }),
    "suppressions.list": (ctx, address) => suppressionOperations.list.call(ctx, { ...place, address }),
    "conversations.list": (ctx, address) => conversationOperations.list.call(ctx, { ...place, address }),
    "exports.request": (ctx, search) =>
      exportOperations.request.call(ctx, { kind: "messages", filter: { environmentId, search } }),
  };
  it.each(Object.entries(portal))("%s is refused to who sees no addresses", async (_, search) => {
    for (const address of [known, unknown, " +49 151 12345678"]) {
      const error = await refusal(search(tenant.as("administrator"), address));
      expect(error).toMatchObject({ code: "permission_denied" });
      expect(error.message).toContain("content:reveal");
    }
    await search(owner, known);
  });

  it("by an id or a transaction id is left to everybody who reads messages", async () => {
    for (const search of [messageId(sent), sent.requestId]) {
      const { data } = await notificationOperations.list.call(tenant.as("auditor"), { ...place, search });
      expect(data.map(({ notificationId, to }) => [notificationId, to])).toEqual([
        [messageId(sent), "+49•••78"],
      ]);
    }
  });

  it("finds what is of the teams in which somebody sees addresses, and no more", async () => {
    const grant = (unitId: string | null, ...permissions: string[]) => ({
      permissions: new Set(permissions),
      unitId,
      applicationId: null,
      environmentId: null,
    });
    const member = (unitId: string | null): Ctx => ({
      ...owner,
      grants: [grant(null, "notifications:read"), grant(unitId, "content:reveal")],
    });
    const list = async (ctx: Ctx, filter: object) =>
      (await notificationOperations.list.call(ctx, { ...place, ...filter })).data.length;
    const [own, other] = [member(tenant.units.alpha), member(tenant.units.beta)];
    expect(await list(own, { search: known })).toBe(1);
    expect(await list(other, { search: known })).toBe(0);
    const counted = await notificationOperations.count.call(other, { environmentId, search: known });
    expect(counted.count).toBe(0);
    const page = { limit: 10, environmentId, to: known };
    expect((await listNotifications(own, page)).data).toHaveLength(1);
    expect((await listNotifications(other, page)).data).toEqual([]);
    // The message itself they see, masked.
    expect(await list(other, {})).toBe(1);
  });
});
