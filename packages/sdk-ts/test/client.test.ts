import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, vi } from "vitest";
import { contracts } from "../../../server/rest/contracts.ts";
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  Tidings,
  TidingsError,
  operations,
} from "../src/index.ts";
import type { Operation } from "../src/operations.ts";
import { losingProxy, order, seededRandom } from "./losing-proxy.ts";
import { startWorld } from "./world.ts";

const world = await startWorld();
const tidings = world.client();
afterAll(() => world.api.close());

const failure = async (work: PromiseLike<unknown>): Promise<TidingsError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof TidingsError) return error;
  throw new Error("It did not fail with a TidingsError", { cause: error });
};

/** Messages of the sandbox that carry a mark. */
const messagesOf = async (mark: string): Promise<number> => {
  const { rows } = await world.database.owner.query<{ n: string }>(
    `SELECT count(*) AS n FROM notifications n JOIN send_requests r ON r.tenant_id = n.tenant_id AND r.id = n.request_id
     WHERE r.metadata->>'mark' = $1`,
    [mark],
  );
  return Number(rows[0]?.n);
};

describe("the client", () => {
  it("has a method for every operation of the API, and none besides", () => {
    const table = Object.values(operations as Record<string, Record<string, Operation>>).flatMap((entries) =>
      Object.values(entries).map(({ method, path }) => `${method} ${path}`),
    );
    const served = contracts.map(({ method, path }) => `${method} ${path}`);
    expect(["POST /api/app/notifications/send", ...table].sort()).toEqual(served.sort());
    // Lists with a cursor are iterated, and what takes no body is given none.
    for (const entries of Object.values(operations as Record<string, Record<string, Operation>>)) {
      for (const { method, path, takes } of Object.values(entries)) {
        const contract = contracts.find((each) => each.method === method && each.path === path);
        const names =
          contract?.query && "shape" in contract.query ? Object.keys(contract.query.shape as object) : [];
        const expected =
          method === "GET" || (method === "DELETE" && !contract?.body)
            ? [names.includes("cursor") && path !== "/v1/consents" ? "pages" : "query"]
            : [contract?.body ? "body" : "nothing"];
        expect(expected, `${method} ${path}`).toContain(takes);
      }
    }
  });

  it("sends without a transactionId, and follows the message", async () => {
    const sent = await tidings.send(order);
    expect(sent.transactionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent.notifications).toMatchObject([{ channel: "email", status: "queued" }]);
    const id = sent.notifications[0]!.notificationId;
    expect(await tidings.messages.get(id)).toMatchObject({ notificationId: id, application: "webshop" });
    const again = await tidings.send({ ...order, transactionId: sent.transactionId });
    expect(again.notifications[0]!.notificationId).toBe(id);
    expect(await tidings.messages.waitFor(id, { until: "queued" })).toMatchObject({ status: "queued" });
    expect(await tidings.messages.cancel(id)).toMatchObject({ status: "canceled", final: true });
    expect(await tidings.messages.waitFor(id)).toMatchObject({ notificationId: id, status: "canceled" });
  });

  it("sends numbers and dates as the texts that the API takes", async () => {
    const sent = await tidings.send({
      ...order,
      templateVariables: [],
      recipients: [
        {
          channel: "email",
          recipient: "ada@example.com",
          variables: {
            customerName: "Ada",
            orderNumber: 4711,
            status: "shipped",
            trackingUrl: "https://shop.example",
          },
        },
      ],
    });
    expect(sent.notifications).toMatchObject([{ status: "queued" }]);
    const message = await tidings.messages.create({
      channel: "email",
      to: "ada@example.com",
      template: "order-status",
      application: "webshop",
      variables: {
        customerName: "Ada",
        orderNumber: 1,
        status: "shipped",
        trackingUrl: "https://shop.example",
      },
    });
    expect(message.status).toBe("queued");
  });

  it("iterates over all pages of a list, and is a first page when awaited", async () => {
    const mark = randomUUID();
    for (let n = 0; n < 7; n++) await tidings.send({ ...order, transactionId: `${mark}-${n}` });
    const ids = (await tidings.messages.list({ limit: 3 }).toArray()).map((each) => each.notificationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(7);
    const first = await tidings.messages.list({ limit: 3 });
    expect(first.data.map((each) => each.notificationId)).toEqual(ids.slice(0, 3));
    const second = await tidings.messages.list({ limit: 3, cursor: first.nextCursor ?? "" });
    expect(second.data.map((each) => each.notificationId)).toEqual(ids.slice(3, 6));
    expect(await tidings.messages.list({ limit: 3 }).toArray({ limit: 5 })).toHaveLength(5);
    const files = await tidings.templates.files({ application: "webshop" }).toArray();
    expect(files.map((file) => file.path)).toContain("order-status/sms.lang-en/template.json");
  });

  it("iterates over the pages of the feed that begins at a time", async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    await vi.waitFor(
      async () => {
        const ids = (await tidings.events.list({ since, limit: 2 }).toArray()).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeGreaterThan(4);
      },
      { timeout: 15_000, interval: 500 },
    );
  });

  it("creates, changes, lists and deletes what the API has", async () => {
    // Contacts are the same in every environment and belong to production's keys.
    const { contacts, contactGroups } = world.client({ apiKey: world.keys.live });
    const contact = await contacts.create({ externalId: "sdk-1", attributes: { customerName: "Ada" } });
    expect((await contacts.update(contact.id, { attributes: { customerName: "Eve" } })).attributes).toEqual({
      customerName: "Eve",
    });
    const group = await contactGroups.create({ name: "SDK" });
    await contactGroups.addMembers(group.id, { contactIds: [contact.id] });
    expect(await contacts.list({ groupId: group.id }).toArray()).toHaveLength(1);
    await contactGroups.removeMembers(group.id, { contactIds: [contact.id] });
    await contactGroups.delete(group.id);
    await contacts.delete(contact.id);
    expect(await failure(contacts.get(contact.id))).toBeInstanceOf(NotFoundError);
  });

  it("calls any operation by method and path, typed where it is known", async () => {
    const list = await tidings.request("GET", "/v1/notifications", { query: { limit: 1 } });
    const id = list.data[0]!.notificationId;
    const one = await tidings.request("GET", "/v1/notifications/{id}", { params: { id } });
    expect(one.notificationId).toBe(id);
    // @ts-expect-error: a known path is not taken with a wrong body
    const wrong = tidings.request("POST", "/v1/webhooks", { body: { address: "x" } });
    expect(await failure(wrong)).toMatchObject({ code: "invalid_request" });
    expect((await failure(tidings.request("GET", "/v1/of-tomorrow"))).status).toBe(404);
  });
});

describe("an error", () => {
  it("says what to change, as a class, a status and a code", async () => {
    const invalid = await failure(
      tidings.send({
        ...order,
        recipients: [
          // @ts-expect-error: not a channel
          { channel: "pigeon", recipient: "ada@example.com" },
        ],
      }),
    );
    expect(invalid).toBeInstanceOf(InvalidRequestError);
    expect(invalid).toMatchObject({ status: 422, code: "invalid_request" });
    expect(invalid.errors).toMatchObject([{ pointer: "/recipients/0/channel" }]);
    expect(invalid.message).toContain("/recipients/0/channel");
    expect(invalid.requestId).toMatch(/\S/);

    const wrongKey = await failure(
      world.client({ apiKey: `${world.keys.sandbox.slice(0, -3)}abc` }).messages.list(),
    );
    expect(wrongKey).toBeInstanceOf(AuthenticationError);
    expect(wrongKey.code).toBe("unauthenticated");
    expect(JSON.stringify(wrongKey) + String(wrongKey)).not.toContain(world.keys.sandbox.slice(8, 20));
  });

  it("of another organisation's key comes from the tenant id that is always sent", async () => {
    const error = await failure(world.client({ tenantId: randomUUID() }).send(order));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error.code).toBe("tenant_mismatch");
  });

  it("of an id that would lead to another operation is thrown before anything is sent", async () => {
    for (const id of ["", ".", ".."]) {
      expect(() => tidings.messages.get(id)).toThrow(/needs the id/);
      expect(() => tidings.webhooks.delete(id)).toThrow(/needs the id/);
    }
    const encoded = await failure(tidings.messages.get("../webhooks?x=1#y"));
    expect(encoded.code).toBe("not_found");
  });

  it("of what is not configured names the option and the variable", () => {
    expect(() => new Tidings({ baseUrl: world.api.url, apiKey: "x" })).toThrow(/tenantId.*TIDINGS_TENANT_ID/);
    process.env.TIDINGS_TENANT_ID = world.tenantId;
    expect(new Tidings({ baseUrl: world.api.url, apiKey: "x" })).toBeInstanceOf(Tidings);
    delete process.env.TIDINGS_TENANT_ID;
  });
});

it("300 sends through a proxy that loses 30 % of the answers make exactly 300 messages", async () => {
  const random = seededRandom(7);
  const proxy = await losingProxy(world.api.url, () => random() < 0.3);
  const through = world.client({ baseUrl: proxy.url, maxRetries: 12 });
  const mark = randomUUID();
  let next = 0;
  const worker = async () => {
    while (next++ < 300) await through.send({ ...order, metadata: { mark } });
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  proxy.close();
  expect(proxy.counts.lost).toBeGreaterThan(60);
  expect(proxy.counts.requests).toBe(300 + proxy.counts.lost);
  expect(await messagesOf(mark)).toBe(300);
}, 60_000);

it("what a POST creates through that proxy is created once as well", async () => {
  const random = seededRandom(3);
  const proxy = await losingProxy(world.api.url, () => random() < 0.3);
  const { contactGroups } = world.client({ baseUrl: proxy.url, apiKey: world.keys.live, maxRetries: 12 });
  const names = Array.from({ length: 40 }, (_, n) => `Lost ${String(n)}`);
  await Promise.all(names.map((name) => contactGroups.create({ name })));
  proxy.close();
  expect(proxy.counts.lost).toBeGreaterThan(5);
  const direct = world.client({ apiKey: world.keys.live });
  const made = (await direct.contactGroups.list().toArray()).map(({ name }) => name);
  expect(made.filter((name) => name.startsWith("Lost ")).sort()).toEqual(names.sort());
}, 60_000);
