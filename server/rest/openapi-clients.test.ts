import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDemo } from "../../prisma/seed/seed.ts";
import { childEnvironment, startApiServer } from "../testing/api-server.ts";
import { testDatabase } from "../testing/database.ts";
import { contracts } from "./contracts.ts";
import { openApiText } from "./openapi.ts";

/*
 * What a stranger does: generates a client from the document with a tool that we have no part in, compiles it with the strictest
 * settings, and talks to the service with it.
 */

const api = await startApiServer();
const database = await testDatabase();
api.serve(database.web);

const modules = path.resolve(import.meta.dirname, "../../node_modules");
const run = promisify(execFile);
let folder = "";
let key = "";

/** What each of the programs below prints. */
interface Told {
  sent: { channel: string; status: string }[];
  listed: string[];
  got: { application: string; final: boolean; failureCode: string | null };
  missing: { status: number; code: string; retry: boolean };
  refused: { code: string; pointers: string[] };
}

/** A request without `templateVariables`, `contactGroups` and `metadata`, which have defaults. */
const body = `{
  transactionId: \`clients-\${process.argv[2] ?? ""}\`,
  application: "webshop",
  region: "DE",
  language: "en",
  notificationType: "order",
  notificationSubtype: "order_status",
  recipients: [
    {
      channel: "email",
      recipient: "ada@example.com",
      variables: { customerName: "Ada", orderNumber: "A-1", status: "shipped", trackingUrl: "https://shop.example/1" },
    },
  ],
}`;

/** For both clients: a program handles problems by their code, and one that it does not know by its status. */
const shared = `
const url = process.env.TIDINGS_URL ?? "";
const headers = { authorization: \`Bearer \${process.env.TIDINGS_KEY ?? ""}\` };
const unknown = "0197f4a0-5b7e-7c1a-9d3e-00000000ffff";

function retry(problem: Problem): boolean {
  switch (problem.code) {
    case "not_found":
      return false;
    case "rate_limited":
    case "service_overloaded":
      return true;
    // @ts-expect-error: no such code
    case "no_such_code":
      return false;
    default:
      return problem.status >= 500;
  }
}
const told = (problem: Problem) => ({
  code: problem.code,
  pointers: problem.errors.map((error) => error.pointer),
});
`;

const programs = {
  /** Types only, and a fetch that is typed by them. */
  "openapi-fetch": `
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Problem = components["schemas"]["Problem"];
${shared}
const client = createClient<paths>({ baseUrl: url, headers });
const body: components["schemas"]["SendRequest"] = ${body};
const sent = await client.POST("/api/app/notifications/send", { body });
if (!sent.data) throw new Error(sent.error.detail);
const id = sent.data.notifications[0]?.notificationId ?? "";
const list = await client.GET("/v1/notifications", { params: { query: { limit: 5 } } });
if (!list.data) throw new Error(list.error.detail);
const got = await client.GET("/v1/notifications/{id}", { params: { path: { id } } });
if (!got.data) throw new Error(got.error.detail);
const missing = await client.GET("/v1/notifications/{id}", { params: { path: { id: unknown } } });
if (!missing.error) throw new Error("Found");
const refused = await client.POST("/v1/notifications", {
  // @ts-expect-error: not a channel
  body: { channel: "pigeon", to: "ada@example.com", template: "order-status" },
});
if (!refused.error) throw new Error("Sent");
console.log(
  JSON.stringify({
    sent: sent.data.notifications.map(({ channel, status }) => ({ channel, status })),
    listed: list.data.data.map((message) => message.notificationId),
    got: {
      application: got.data.application,
      final: got.data.final,
      failureCode: got.data.failure?.code ?? null,
    },
    missing: {
      status: missing.response.status,
      code: missing.error.code,
      retry: retry(missing.error),
    },
    refused: told(refused.error),
  }),
);
`,
  /** A function for each operation. */
  "hey-api": `
import { client } from "./sdk/client.gen.js";
import { createNotification, getNotification, listNotifications, sendNotifications } from "./sdk/index.js";
import type { Problem, SendRequest } from "./sdk/index.js";
${shared}
client.setConfig({ baseUrl: url, headers });
const body: SendRequest = ${body};
const sent = await sendNotifications({ body });
if (!sent.data) throw new Error(sent.error.detail);
const id = sent.data.notifications[0]?.notificationId ?? "";
const list = await listNotifications({ query: { limit: 5 } });
if (!list.data) throw new Error(list.error.detail);
const got = await getNotification({ path: { id } });
if (!got.data) throw new Error(got.error.detail);
const missing = await getNotification({ path: { id: unknown } });
if (!missing.error) throw new Error("Found");
const refused = await createNotification({
  // @ts-expect-error: not a channel
  body: { channel: "pigeon", to: "ada@example.com", template: "order-status" },
});
if (!refused.error) throw new Error("Sent");
console.log(
  JSON.stringify({
    sent: sent.data.notifications.map(({ channel, status }) => ({ channel, status })),
    listed: list.data.data.map((message) => message.notificationId),
    got: {
      application: got.data.application,
      final: got.data.final,
      failureCode: got.data.failure?.code ?? null,
    },
    missing: {
      status: missing.response?.status ?? 0,
      code: missing.error.code,
      retry: retry(missing.error),
    },
    refused: told(refused.error),
  }),
);
`,
};

const tool = (...parts: string[]) => path.join(modules, ...parts);
const node = (script: string, ...args: string[]) =>
  run(process.execPath, [script, ...args], { cwd: folder, maxBuffer: 10_000_000 });

beforeAll(async () => {
  const seeded = await seedDemo({
    databaseUrl: database.workerUrl,
    baseUrl: api.url,
    smtp: { host: "127.0.0.1", port: 2525, user: "quickstart", pass: "secret" },
  });
  key = seeded?.keys.sandbox ?? "";
  folder = await mkdtemp(path.join(tmpdir(), "tidings-clients-"));
  await symlink(modules, path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "openapi.json"), openApiText(contracts));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2024",
        lib: ["es2024", "dom", "dom.iterable"],
        module: "nodenext",
        moduleResolution: "nodenext",
        strict: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        types: ["node"],
        rootDir: "src",
        outDir: "out",
      },
      include: ["src"],
    }),
  );
  const sdk = {
    input: "openapi.json",
    output: { path: "src/sdk", module: { extension: ".js" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
  };
  await writeFile(path.join(folder, "openapi-ts.config.js"), `export default ${JSON.stringify(sdk)};`);
  const source = path.join(folder, "src");
  await mkdir(source);
  for (const [name, text] of Object.entries(programs)) await writeFile(path.join(source, `${name}.ts`), text);
  await Promise.all([
    node(tool("openapi-typescript", "bin", "cli.js"), "openapi.json", "-o", "src/schema.ts"),
    node(tool("@hey-api", "openapi-ts", "bin", "run.js"), "-f", "openapi-ts.config.js"),
  ]);
}, 180_000);

afterAll(async () => {
  await api.close();
  if (folder) await rm(folder, { recursive: true });
});

describe("a client that is generated from the document", () => {
  it("compiles under strict settings: what has a default may be left out, problems have known codes", async () => {
    const compiled = await node(tool("typescript", "bin", "tsc"), "-p", ".").catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(compiled.stdout).toBe("");
  }, 120_000);

  it.each(Object.keys(programs))("by %s sends a message, lists, gets, and handles problems", async (name) => {
    const { stdout } = await run(process.execPath, [path.join(folder, "out", `${name}.js`), name], {
      cwd: folder,
      env: childEnvironment({ TIDINGS_URL: api.url, TIDINGS_KEY: key }),
    });
    const answer = JSON.parse(stdout) as Told;
    expect(answer).toMatchObject({
      sent: [{ channel: "email", status: "queued" }],
      got: { application: "webshop", final: false, failureCode: null },
      missing: { status: 404, code: "not_found", retry: false },
      refused: { code: "invalid_request", pointers: ["/channel"] },
    } satisfies Partial<Told>);
    expect(answer.listed.length).toBeGreaterThan(0);
  });
});
