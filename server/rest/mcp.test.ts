import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { childEnvironment, startApiServer } from "../testing/api-server.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { contracts } from "./contracts.ts";
import { mcpTools, mostTools } from "./mcp-tools.ts";
import type { Problem } from "./problem.ts";

/* The client is the official one, so that conformance is held from outside. */

const api = await startApiServer();
const database = await testDatabase();
api.serve(database.web);
const world = await makeSendingWorld(database);
const { tenant } = world;
await tenant.addSimulator();
const { key } = await tenant.makeKey("production", { role: "owner" });
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => api.close());

async function connect(as = key): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  // The package's own types differ in what may be undefined.
  const transport = new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${as}` } },
  }) as Parameters<Client["connect"]>[0];
  await client.connect(transport);
  return client;
}

interface Result {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
}
const call = async (client: Client, name: string, args: object = {}) =>
  (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Result;

/** A message as anybody may send it. */
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
    body,
  });
const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

const send = (recipient = "ada@example.com", transactionId = "agent-1") => {
  const body = sendBody({ recipients: [{ channel: "email", recipient }] });
  return { ...body, transactionId };
};
const stored = async () =>
  (await database.owner.query("SELECT FROM notifications WHERE tenant_id = $1", [tenant.tenantId])).rowCount;

describe("the tools", () => {
  it("are operations of the API, at most 20, each with a name, a description and a schema of its arguments", () => {
    const tools = [...mcpTools().values()];
    expect(tools.length).toBeLessThanOrEqual(mostTools);
    for (const { tool, contract } of tools) {
      expect(contracts).toContain(contract);
      expect(tool.name).toMatch(/^[a-z_]{3,40}$/);
      expect(tool.description.length).toBeGreaterThan(40);
      expect(tool.description.length).toBeLessThan(1_500);
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      for (const name of tool.inputSchema.required ?? [])
        expect(tool.inputSchema.properties).toHaveProperty(name);
    }
    // What a model reads before it does anything.
    expect(JSON.stringify(tools.map(({ tool }) => tool)).length).toBeLessThan(60_000);
  });

  it("say that explain comes before send", () => {
    expect(mcpTools().get("explain")?.tool.description).toMatch(/^Always call this before `send`/);
    expect(mcpTools().get("send")?.tool.description).toMatch(/Call `explain` first/);
    expect([...mcpTools().keys()].slice(0, 2)).toEqual(["explain", "send"]);
  });

  it("are listed to a key that may use them, and no others", async () => {
    const listed = async (as: string) =>
      (await (await connect(as)).listTools()).tools.map(({ name }) => name);
    expect(await listed(key)).toEqual([...mcpTools().keys()]);
    const finance = await tenant.makeKey("production", { role: "finance" });
    expect(await listed(finance.key)).toEqual(["get_delivery_report"]);
  });
});

describe("a client", () => {
  it("explains without sending, sends once however often it tries, and follows the message", async () => {
    const client = await connect();
    expect(client.getServerVersion()?.name).toBe("tidings");
    expect(client.getInstructions()).toContain("explain");
    await client.ping();
    const before = await stored();
    const explained = await call(client, "explain", send());
    expect(explained.isError, explained.content[0]?.text).toBeUndefined();
    expect(explained.structuredContent).toHaveProperty("messages");
    expect(await stored()).toBe(before);
    const sent = await call(client, "send", send());
    const again = await call(client, "send", send());
    expect(sent.structuredContent).toEqual(again.structuredContent);
    expect(await stored()).toBe((before ?? 0) + 1);
    const [{ notificationId }] = sent.structuredContent?.notifications as [{ notificationId: string }];
    const found = await call(client, "get_message", { id: notificationId });
    expect(found.structuredContent).toMatchObject({ notificationId, to: "ada@example.com" });
    const list = await call(client, "list_messages", { status: ["queued", "sending"], limit: 5 });
    expect(list.structuredContent?.data).toHaveLength(1);
  });

  it("is told by an error which code it has and what to change, and can go on", async () => {
    const client = await connect();
    const unknown = await call(client, "send", {
      ...send("ada@example.com", "agent-5"),
      notificationSubtype: "nope",
    });
    expect(unknown).toMatchObject({
      isError: true,
      structuredContent: { code: "unknown_notification_type" },
    });
    expect(unknown.content[0]?.text).toMatch(/^unknown_notification_type: .+\n/);
    const misspelt = await call(client, "send", { ...send(), scheduledat: "2030-01-01T00:00:00Z" });
    expect(misspelt.content[0]?.text).toContain("/scheduledat unknown_member");
    const wrong = await call(client, "list_messages", { limit: 1_000 });
    expect(wrong.content[0]?.text).toContain("/query/limit");
    const missing = await call(client, "get_message");
    expect(missing.content[0]?.text).toContain("/id required");
    expect((await call(client, "list_templates")).isError).toBeUndefined();
  });

  it("is refused at once what no address would have room for, and holds nobody up", async () => {
    const client = await connect();
    const began = performance.now();
    const refused = await call(client, "list_messages", { status: new Array<string>(200_000).fill("x") });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: "payload_too_large" } });
    expect(refused.content[0]?.text).toContain("The arguments are too long.");
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it("gets the same answer for another organisation's message as for one that does not exist", async () => {
    const stranger = await makeSendingWorld(database);
    await stranger.tenant.addSimulator();
    const theirs = await stranger.tenant.makeKey("production", { role: "owner" });
    const sent = await call(await connect(theirs.key), "send", send());
    const [{ notificationId }] = sent.structuredContent?.notifications as [{ notificationId: string }];
    const client = await connect();
    const texts = [];
    for (const id of [notificationId, "01944ac2-1c00-7000-8000-000000000001", "../../v1/webhooks", "%00"]) {
      const answer = await call(client, "get_message", { id });
      expect(answer).toMatchObject({ isError: true, structuredContent: { code: "not_found", status: 404 } });
      texts.push(answer.content[0]?.text);
    }
    expect(new Set(texts).size).toBe(1);
  });

  it("needs the permission of the operation", async () => {
    const { key: weak } = await tenant.makeKey("production", { role: "finance" });
    const refused = await call(await connect(weak), "send", send());
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: "permission_denied" } });
  });

  it("that is an agent is kept within its recipients, and waits for a person in production", async () => {
    const agent = await createApiKey(tenant.as("owner"), {
      name: "Assistant",
      environmentId: tenant.environments.production,
      agent: { recipients: ["ada@example.com"], hourlyCap: 1, laterStages: true },
    });
    const client = await connect(agent.key);
    const foreign = await call(client, "send", send("eve@example.com", "agent-2"));
    expect(foreign).toMatchObject({ isError: true, structuredContent: { code: "agent_limit" } });
    const explained = await call(client, "explain", send("ada@example.com", "agent-3"));
    expect(JSON.stringify(explained.structuredContent)).toContain('"needsApproval":true');
    const sent = await call(client, "send", send("ada@example.com", "agent-3"));
    expect(sent.structuredContent?.notifications).toMatchObject([{ status: "pending_approval" }]);
    const second = await call(client, "send", send("ada@example.com", "agent-4"));
    expect(second).toMatchObject({ isError: true, structuredContent: { code: "rate_limited" } });
  });

  it("over standard input and output gets the same", async () => {
    const client = new Client({ name: "test", version: "1" });
    clients.push(client);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [path.resolve("packages/sdk-ts/src/cli/main.ts"), "mcp"],
        env: { TIDINGS_URL: api.url, TIDINGS_API_KEY: key, PATH: childEnvironment({}).PATH ?? "" },
      }),
    );
    expect((await client.listTools()).tools).toHaveLength(mcpTools().size);
    const explained = await call(client, "explain", send());
    expect(explained.structuredContent).toHaveProperty("messages");
    await expect(client.callTool({ name: "nope", arguments: {} })).rejects.toThrow(
      "There is no tool of this name",
    );
  }, 30_000);
});

describe("the address /mcp", () => {
  it("answers nobody without a key, and 429 above the key's limit", async () => {
    const { key: slow } = await tenant.makeKey("production", { role: "owner", rateLimitPerMinute: 2 });
    for (const authorization of ["", "Bearer nope", "Basic eA=="]) {
      const answer = await post(message("tools/list"), { authorization });
      expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([401, "unauthenticated"]);
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
    }
    const statuses = [];
    for (let n = 0; n < 4; n++)
      statuses.push((await post(message("ping"), { authorization: `Bearer ${slow}` })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const called = await post(message("tools/call", { name: "list_templates" }), {
      authorization: `Bearer ${slow}`,
    });
    expect(await called.json()).toMatchObject({
      result: { isError: true, structuredContent: { code: "rate_limited" } },
    });
  });

  it("counts each message once against the key's limit, whatever becomes of it, and says what is left", async () => {
    const asking = async (limit: number) => {
      const made = await tenant.makeKey("production", { role: "owner", rateLimitPerMinute: limit });
      return { authorization: `Bearer ${made.key}` };
    };
    const left = (answer: Response) => /r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1];
    const idle = await asking(5);
    const messages = [
      "{",
      '{"jsonrpc":"1.0"}',
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      message("tools/call", { name: "nope" }),
      message("tools/call", { name: "get_message" }),
      message("ping"),
    ];
    const answers = [];
    for (const each of messages) answers.push(await post(each, idle));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 202, 200, 200, 429]);
    expect(answers.slice(1).map(left)).toEqual(["3", "2", "1", "0", "0"]);
    const calling = await asking(2);
    const codes = [];
    for (let n = 0; n < 3; n++) {
      const answer = await post(message("tools/call", { name: "list_templates" }), calling);
      const { result } = (await answer.json()) as { result: { structuredContent?: { code?: string } } };
      codes.push(result.structuredContent?.code);
    }
    expect(codes).toEqual([undefined, undefined, "rate_limited"]);
    // Above its limit nothing long is read from it.
    const long = message("tools/call", { name: "send", arguments: { text: "x".repeat(20_000) } });
    expect((await post(long, calling)).status).toBe(413);
  });

  it("negotiates the version, and refuses one that it does not speak in a header", async () => {
    const versionFor = async (protocolVersion: string) => {
      const answer = await post(message("initialize", { protocolVersion, capabilities: {}, clientInfo: {} }));
      return ((await answer.json()) as { result: { protocolVersion: string } }).result.protocolVersion;
    };
    expect(await versionFor("2025-03-26")).toBe("2025-03-26");
    expect(await versionFor("1999-01-01")).toBe("2025-11-25");
    expect((await post(message("ping"), { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
    expect((await post(message("ping"), { "mcp-protocol-version": "2025-06-18" })).status).toBe(200);
  });

  it("takes notifications without an answer, and no batches", async () => {
    const note = await post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    expect([note.status, await note.text()]).toEqual([202, ""]);
    const batch = await post(`[${message("ping")}]`);
    expect(batch.status).toBe(400);
    expect(await batch.json()).toMatchObject({
      error: { code: -32_600, message: expect.stringContaining("Batches") as string },
    });
  });

  it("has POST only", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await fetch(`${api.url}/mcp`, { method, headers: { authorization: `Bearer ${key}` } });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });

  it("refuses what a page of another origin sends", async () => {
    const answer = await post(message("ping"), { origin: "https://evil.example" });
    expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([403, "permission_denied"]);
    expect((await post(message("ping"), { origin: api.url })).status).toBe(200);
  });

  it.each([
    ["{", 400],
    ["", 400],
    ["null", 400],
    ["1", 400],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${"[".repeat(40)}${"]".repeat(40)}}}`, 400],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}', 400],
    [JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { a: "x".repeat(1_100_000) } }), 413],
  ])("refuses hostile body %#", async (body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it.each([
    [message("nope"), -32_601],
    [message("tools/call"), -32_602],
    [message("tools/call", { name: "nope" }), -32_602],
    [message("tools/call", { name: "constructor" }), -32_602],
    [message("tools/call", { name: "get_message", arguments: "x" }), -32_602],
  ])("answers what it does not know with an error of JSON-RPC (%#)", async (body, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id: 1, error: { code } });
  });
});
