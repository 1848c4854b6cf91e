import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../packages/sdk-ts/src/operations.ts";
import type { Operation } from "../../packages/sdk-ts/src/operations.ts";
import { typeErrors } from "../../packages/sdk-ts/test/type-errors.ts";
import { seedDemo } from "../../prisma/seed/seed.ts";
import { root } from "../../scripts/lib/paths.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { childEnvironment, startApiServer } from "../testing/api-server.ts";
import { testDatabase } from "../testing/database.ts";
import { codeSamples, sampled } from "./code-samples.ts";
import type { CodeSample } from "./code-samples.ts";
import { contracts } from "./contracts.ts";
import { guideOrder } from "./guide-navigation.ts";
import { guidePage, llmsText } from "./guide-pages.ts";
import { postmanCollection } from "./postman.ts";
import { referenceTagPage } from "./reference-pages.ts";

/* The samples of the reference, run as they are printed on the demo organisation of a fresh installation. */

const api = await startApiServer();
const database = await testDatabase();
api.serve(database.web);
const folder = await mkdtemp(path.join(tmpdir(), "samples-"));
const main = contracts.filter(({ operationId }) => sampled.has(operationId));
const python = spawnSync("python3", ["--version"]).status === 0;
if (!python) process.stderr.write("THE PYTHON SAMPLES ARE NOT RUN: there is no python3 on this machine.\n");
let variables: Record<string, string> = {};

beforeAll(async () => {
  const seeded = await seedDemo({
    databaseUrl: database.workerUrl,
    baseUrl: api.url,
    smtp: { host: "127.0.0.1", port: 9, user: "quickstart", pass: "secret" },
  });
  if (!seeded) throw new Error("The demo tenant was there already");
  const { rows } = await database.owner.query<{ id: string }>(
    "SELECT id FROM environments WHERE tenant_id = $1 AND slug = 'production'",
    [seeded.tenantId],
  );
  const ctx = systemCtx(database.web, seeded.tenantId, "Test");
  const { key } = await createApiKey(ctx, {
    name: "samples",
    environmentId: rows[0]?.id ?? "",
    role: "owner",
  });
  variables = {
    TIDINGS_URL: api.url,
    TIDINGS_API_KEY: key,
    TIDINGS_TENANT_ID: seeded.tenantId,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONPATH: path.join(root, "packages/sdk-python"),
  };
  // What is read: a message by its id, and the suppressions of an address.
  const shell = (id: string) => run(codeSamples(main.find(({ operationId }) => operationId === id)!)[0]!);
  variables.ID = (
    JSON.parse((await shell("createNotification")).output) as { notificationId: string }
  ).notificationId;
  await shell("addSuppressions");
}, 120_000);
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

async function run({ lang, source }: CodeSample): Promise<{ code: number; output: string; errors: string }> {
  const [command, name] = {
    Shell: ["bash", "sample.sh"],
    TypeScript: [process.execPath, "sample.mts"],
    Python: ["python3", "sample.py"],
  }[lang] as [string, string];
  const file = path.join(folder, `${String(Math.random()).slice(2)}-${name}`);
  await writeFile(
    file,
    lang === "Shell"
      ? `set -e\nuuidgen() { cat /proc/sys/kernel/random/uuid 2>/dev/null || command uuidgen; }\n${source.replace("curl ", "curl -sS --fail-with-body ")}\n`
      : source,
  );
  const client = pathToFileURL(path.join(root, "examples/resolve-tidings.mjs")).href;
  const child = spawn(command, [...(lang === "TypeScript" ? ["--import", client] : []), file], {
    env: childEnvironment(variables),
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output, errors };
}

describe("the samples", () => {
  it("are there for the main operations, in three languages each, and nothing in them ends a quotation", () => {
    expect(main.map(({ operationId }) => operationId).sort()).toEqual([...sampled].sort());
    for (const contract of main) {
      const samples = codeSamples(contract);
      expect(samples.map(({ label }) => label)).toEqual(["curl", "TypeScript", "Python"]);
      expect(samples[0]?.source.split("'").length).toBeLessThanOrEqual(3);
    }
    expect(codeSamples(contracts.find(({ operationId }) => operationId === "getPromotion")!)).toEqual([]);
  });

  it("call each operation by its method in the clients, with what the types take", async () => {
    const methods = Object.entries(operations as Record<string, Record<string, Operation>>).flatMap(
      ([resource, entries]) =>
        Object.entries(entries).map(
          ([name, { method, path: at }]) => [`${resource}.${name}`, `${method} ${at}`] as const,
        ),
    );
    const operationOf = new Map<string, string>([
      ...methods,
      ["send", "POST /api/app/notifications/send"] as const,
    ]);
    const files = await Promise.all(
      main.map(async (contract) => {
        const source = codeSamples(contract).find(({ lang }) => lang === "TypeScript")!.source;
        const name = /= await tidings\.([\w.]+)\(|of tidings\.([\w.]+)\(/.exec(source);
        expect(operationOf.get(name?.[1] ?? name?.[2] ?? "")).toBe(`${contract.method} ${contract.path}`);
        const file = path.join(folder, `${contract.operationId}.mts`);
        await writeFile(file, source);
        return file;
      }),
    );
    expect([...typeErrors(files, ["node"]).values()].flat()).toEqual([]);
  }, 60_000);

  it.each(main.map((contract) => [contract.operationId, contract] as const))(
    "of %s run as they are printed",
    async (_, contract) => {
      for (const sample of codeSamples(contract)) {
        if (sample.lang === "Python" && !python) continue;
        const { code, output, errors } = await run(sample);
        expect({ label: sample.label, code, errors: code === 0 ? "" : output + errors }).toEqual({
          label: sample.label,
          code: 0,
          errors: "",
        });
        expect(output).toMatch(/[{[]/);
      }
    },
    60_000,
  );

  it("are in the reference as tabs that need no script", async () => {
    const page = await referenceTagPage("notifications").text();
    expect(page.match(/<fieldset class="samples">/g)).toHaveLength(5);
    expect(page).toContain(
      '<input type="radio" name="sendNotifications-sample" id="sendNotifications-python">',
    );
    expect(page).toContain('<label for="sendNotifications-python">Python</label>');
    expect(page).toContain("from tidings import Tidings");
  });
});

describe("the Postman collection", () => {
  const collection = postmanCollection(contracts);
  const items = collection.item.flatMap(({ item }) => item);

  it("has every operation once, with its method, path and example, and no key", async () => {
    expect(items.map(({ request }) => `${request.method} ${request.url.raw}`).sort()).toEqual(
      contracts
        .map(({ method, path: at }) => `${method} {{baseUrl}}${at.replaceAll(/\{(\w+)\}/g, ":$1")}`)
        .sort(),
    );
    const answer = await fetch(`${api.url}/v1/postman.json`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ info: { schema: expect.stringContaining("v2.1.0") as string } });
    expect(text).not.toMatch(/tdg_/);
  });

  it("sends what the API takes", async () => {
    const item = items.find(({ request }) => request.url.raw === "{{baseUrl}}/v1/notifications/explain");
    const fill = (text: string) =>
      text.replaceAll("{{baseUrl}}", api.url).replaceAll("{{apiKey}}", variables.TIDINGS_API_KEY ?? "");
    const [{ key: name, value }] = [
      { key: "authorization", value: `Bearer ${collection.auth.bearer[0]?.value ?? ""}` },
    ];
    const answer = await fetch(fill(item?.request.url.raw ?? ""), {
      method: item?.request.method ?? "",
      headers: {
        [name]: fill(value),
        ...Object.fromEntries(item?.request.header.map((each) => [each.key, each.value]) ?? []),
      },
      body: item?.request.body?.raw ?? "",
    });
    expect(answer.status, await answer.text()).toBe(200);
  });
});

describe("documentation for programs", () => {
  it("is listed in /llms.txt, each guide as Markdown that is there", async () => {
    const answer = await fetch(`${api.url}/llms.txt`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const text = await answer.text();
    expect(text).toBe(await llmsText());
    expect(text).toMatch(/^# Tidings\n\n> .+\n/);
    const pages = [...text.matchAll(/\/docs\/(\S+)\.md\)/g)].map(([, page]) => page);
    expect(pages).toEqual([...guideOrder]);
    for (const page of guideOrder) {
      const guide = await guidePage(`${page}.md`);
      expect(guide.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      const markdown = await guide.text();
      expect(markdown, page).toMatch(/^# /);
      // What only its test reads.
      expect(markdown, page).not.toMatch(/<!-- (?:after|before|file|not run|starts)/);
    }
    for (const page of ["nothing.md", "../README.md", "send.md.md"])
      expect((await guidePage(page)).status).toBe(404);
  });
});
