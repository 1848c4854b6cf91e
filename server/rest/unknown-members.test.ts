import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { RestContract } from "../operations/operation.ts";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { contracts } from "./contracts.ts";
import { fieldErrors, parseOptions } from "./field-errors.ts";
import { openApiText } from "./openapi.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const world = await makeSendingWorld(database);
const { key } = await world.tenant.makeKey("production", { role: "administrator" });
const { key: shopKey } = await world.tenant.makeKey("production", {
  applicationId: world.tenant.application.id,
  role: "administrator",
});

/** Maps whose names are the caller's own, or an adapter's, which checks them itself. */
const freeMaps = new Set([
  "attributes",
  "credentials",
  "evidence",
  "metadata",
  "settings",
  "templateVariables",
  "variables",
]);

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
}

/** An object of a body: the members that lead there, and a body that has an unheard-of one in it and nowhere else. */
interface Place {
  names: string[];
  free: boolean;
  body: unknown;
}

const unheardOf = { unheardOf: 1 };

/**
 * Every object that a body may hold, with what must stand around it for it to be looked at. What contains itself is looked at once.
 * @param within names of the schemas that this one is in
 */
function placesOf(schema: Schema, root: Schema, within: readonly string[] = []): Place[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const named = schema.$ref === "#" ? root : root.$defs?.[name];
    return !named || within.includes(name) ? [] : placesOf(named, root, [...within, name]);
  }
  const inside = (member: Schema) => placesOf(member, root, within);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const places = alternatives.flatMap(inside);
  if (schema.items) {
    places.push(
      ...inside(schema.items).map(({ names, free, body }) => ({
        names: ["0", ...names],
        free,
        body: [body],
      })),
    );
  }
  if (schema.type !== "object") return places;
  if (!schema.properties) return [...places, { names: [], free: true, body: {} }];
  // What tells the alternatives of a union apart.
  const kind = Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, { const: only, enum: values }]) => {
      const value = only ?? values?.[0];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  places.push({ names: [], free: false, body: { ...kind, ...unheardOf } });
  for (const [name, member] of Object.entries(schema.properties)) {
    places.push(
      ...inside(member).map(({ names, free, body }) => ({
        names: [name, ...names],
        free,
        body: { ...kind, [name]: body },
      })),
    );
  }
  return places;
}

const bodies = contracts.flatMap((contract): [string, z.ZodType][] =>
  contract.body ? [[`${contract.method} ${contract.path}`, contract.body]] : [],
);

describe("the body of every route", () => {
  it.each(bodies)("%s refuses unknown members wherever it has members, by their place", (_, body) => {
    const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any", reused: "inline" }) as Schema;
    const places = placesOf(schema, schema);
    expect(places.length).toBeGreaterThan(0);
    for (const { names, free, body: given } of places) {
      if (free) {
        const name = names.findLast((each) => each !== "0");
        expect(freeMaps, `a map of free names at ${names.join("/")}`).toContain(name);
        continue;
      }
      const result = body.safeParse(given, parseOptions);
      const errors = result.error ? fieldErrors(result.error) : [];
      const pointer = ["", ...names, "unheardOf"].join("/");
      expect(
        errors.filter(({ code }) => code === "unknown_member"),
        JSON.stringify({ given, errors }),
      ).toEqual([
        { pointer, code: "unknown_member", detail: expect.stringContaining('"unheardOf"') as string },
      ]);
    }
  });
});

describe("the OpenAPI document", () => {
  type Node = { $ref?: string; [member: string]: unknown };
  const document = JSON.parse(openApiText(contracts)) as {
    paths: Record<string, Record<string, { requestBody?: Node; responses: Record<string, Node> }>>;
    components: { schemas: Record<string, Node> };
  };
  /** Everything that a node contains, references followed. */
  function* within(node: unknown, seen = new Set<unknown>()): Generator<Node> {
    if (typeof node !== "object" || node === null || seen.has(node)) return;
    seen.add(node);
    const { $ref } = node as Node;
    if ($ref !== undefined) yield* within(document.components.schemas[$ref.split("/").at(-1) ?? ""], seen);
    yield node as Node;
    // An example is data, even where it is a schema.
    for (const [name, member] of Object.entries(node)) if (name !== "example") yield* within(member, seen);
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

  it("says of every object in a body that it has no other members", () => {
    const open = operations.flatMap(({ requestBody }) =>
      [...within(requestBody)].filter(
        ({ type, properties, additionalProperties }) =>
          type === "object" && properties !== undefined && additionalProperties !== false,
      ),
    );
    expect(open.map(({ properties }) => Object.keys(properties as object))).toEqual([]);
  });

  it("says of no object in an answer that it will never have more", () => {
    const closed = operations.flatMap(({ responses }) =>
      [...within(responses)].filter(({ additionalProperties }) => additionalProperties === false),
    );
    expect(closed.map((node) => Object.keys(node.properties ?? {}))).toEqual([]);
  });
});

const bodiless = contracts.filter(({ method, body }) => method !== "GET" && !body);

describe("an operation without a body", () => {
  it.each(bodiless.map(({ method, path }) => [method, path] as const))(
    "%s %s refuses members, which nobody would read, and takes an empty object",
    async (method, path) => {
      const address = path.replaceAll(/\{[a-zA-Z]{1,30}\}/g, "01a210f4-6d9f-7000-b60f-000000000000");
      const send = (json: unknown) => rest.call<Problem>(method, address, { key, json });
      const refused = await send({ reason: "Mistake" });
      expect(refused.status, refused.text).toBe(422);
      expect(refused.body.errors).toMatchObject([{ pointer: "/reason", code: "unknown_member" }]);
      expect((await send([1])).status).toBe(422);
      expect((await send({})).status).not.toBe(422);
    },
  );

  it("does not read more of one than any operation would", async () => {
    const json = { reason: "x".repeat(1_100_000) };
    const path = "/v1/broadcasts/01a210f4-6d9f-7000-b60f-000000000000/pause";
    expect((await rest.post<Problem>(path, { key, json })).status).toBe(413);
  });
});

describe("a misspelt name", () => {
  const errorsOf = async (path: string, json: unknown, of = key) => {
    const answer = await rest.post<Problem>(path, { key: of, json });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.code).toBe("invalid_request");
    return answer.body.errors;
  };
  const messages = async () =>
    (await database.owner.query("SELECT FROM notifications WHERE tenant_id = $1", [world.tenantId])).rowCount;

  it("of scheduledAt sends nothing, and names the right one", async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const before = await messages();
    const misspelt = [
      {
        pointer: "/scheduleAt",
        code: "unknown_member",
        detail: '"scheduleAt" is not known here. Did you mean scheduledAt?',
      },
    ];
    expect(await errorsOf("/api/app/notifications/send", { ...sendBody(), scheduleAt: at })).toEqual(
      misspelt,
    );
    const one = { channel: "sms", to: "+4915112345678", template: "order-sms", variables: { code: "1" } };
    expect(await errorsOf("/v1/notifications", { ...one, scheduleAt: at }, shopKey)).toEqual(misspelt);
    expect(await errorsOf("/v1/notifications/explain", { ...one, scheduleAt: at }, shopKey)).toEqual(
      misspelt,
    );
    expect(await errorsOf("/v1/notifications/explain", { ...sendBody(), scheduleAt: at })).toEqual(misspelt);
    expect(await messages()).toBe(before);
  });

  it("of a recipient's member is found where it stands", async () => {
    const recipients = [{ channel: "sms", recipient: "+4915112345678", variable: { code: "1" } }];
    expect(await errorsOf("/api/app/notifications/send", { ...sendBody(), recipients })).toMatchObject([
      {
        pointer: "/recipients/0/variable",
        detail: expect.stringContaining("Did you mean variables?") as string,
      },
    ]);
  });

  it("of events subscribes to nothing", async () => {
    const hook = { url: "https://example.com/hooks", application: "shop", event: ["notification.failed"] };
    expect(await errorsOf("/v1/webhooks", hook)).toMatchObject([
      {
        pointer: "/event",
        code: "unknown_member",
        detail: expect.stringContaining("Did you mean events?") as string,
      },
    ]);
    expect((await rest.get<{ data: unknown[] }>("/v1/webhooks", { key })).body.data).toEqual([]);
  });

  it("of a template's metadata is complained of for the channel that it fits best", async () => {
    const template = {
      application: "shop",
      name: "misspelt",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "email",
      subject: "Hello",
      body: "Hello",
      metadata: { fromNam: "Shop", replyTo: "shop@example.com" },
    };
    expect(await errorsOf("/v1/templates", template)).toMatchObject([
      {
        pointer: "/metadata/fromNam",
        code: "unknown_member",
        detail: expect.stringContaining("Did you mean fromName?") as string,
      },
    ]);
  });

  it("of a provider's setting is named, too", async () => {
    const provider = {
      name: "Misspelt",
      provider: "twilio",
      credentials: { accountSid: "x", auhtToken: "y" },
    };
    const [error] = (await errorsOf("/v1/providers", provider)).filter(
      ({ code }) => code === "unknown_member",
    );
    expect(error).toMatchObject({
      pointer: "/credentials/auhtToken",
      detail: expect.stringContaining("Did you mean authToken?") as string,
    });
  });

  it("in the query is refused on every route, also on those without parameters", async () => {
    const id = "0197f4a0-5b7e-7c1a-9d3e-2f6b8c4d1e0f";
    const ask = async (contract: RestContract, query: string) => {
      const path = contract.path.replaceAll(
        /\{\w+\}/g,
        contract.path.includes("revisions/{number}") ? "1" : id,
      );
      return rest.callContract<Problem>(contract, `${path}?${query}`, {
        key,
        ...(contract.body ? { json: {} } : {}),
      });
    };
    for (const contract of contracts) {
      const answer = await ask(contract, "unheardOf=1");
      expect(answer.status, `${contract.operationId}: ${answer.text}`).toBe(422);
      expect(answer.body.errors, contract.operationId).toMatchObject([
        { pointer: "/query/unheardOf", code: "unknown_parameter" },
      ]);
    }
    const list = await rest.get<Problem>("/v1/notifications?transactionID=x", { key });
    expect(list.body.errors[0]?.detail).toContain("Did you mean transactionId?");
    expect((await rest.get("/v1/notifications?__proto__=x", { key })).status).toBe(422);
  });
});
