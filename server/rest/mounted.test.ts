import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contracts } from "./contracts.ts";

/*
 * Route files are read, not loaded: what they mount must be visible in them.
 */
const root = path.resolve(import.meta.dirname, "../..");

/** Route files that are public on purpose but no REST operations. */
const others = new Set(["/v1/openapi.json", "/v1/[[...path]]", "/api/app/[[...path]]"]);

async function routeFiles(folder: string): Promise<{ url: string; source: string }[]> {
  const names = await readdir(path.join(root, "app", folder), { recursive: true });
  return names
    .filter((name) => path.basename(name) === "route.ts")
    .map((name) => ({
      url: `/${path.posix.join(folder, path.dirname(name).split(path.sep).join("/"))}`,
      source: readFileSync(path.join(root, "app", folder, name), "utf8"),
    }));
}

const files = [...(await routeFiles("v1")), ...(await routeFiles("api/app"))].filter(
  ({ url }) => !others.has(url),
);

/** Next's [id] as OpenAPI's {id}. */
const template = (url: string) => url.replace(/\[(\w+)\]/g, "{$1}");

/** Where a contract is exported, under which name. */
const exported = new Map<string, string>();
for (const domain of [
  "sending",
  "conversations",
  "residency",
  "sandbox",
  "providers",
  "routing",
  "insights",
  "links",
  "webhooks",
  "templates",
  "template-files",
  "pipelines",
]) {
  const module = (await import(`../${domain}/rest.ts`)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(module)) {
    const contract = contracts.find((candidate) => candidate === value);
    if (contract) exported.set(name, contract.operationId);
  }
}

describe("public REST routes", () => {
  it.each(files)("$url mounts the contracts of its own path, and all of them", ({ url, source }) => {
    const mounted = /mountRoutes\(([^)]*)\)/.exec(source)?.[1];
    expect(mounted, "a public route must be mounted from a contract").toBeDefined();
    const operations = (mounted ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => exported.get(name));
    const expected = contracts
      .filter((contract) => contract.path === template(url))
      .map((contract) => contract.operationId);
    expect(expected).not.toHaveLength(0);
    expect(operations.toSorted()).toEqual(expected.toSorted());
    // Without this Next wraps each request in a proxy, and may answer from a cache.
    expect(source).toContain('export const dynamic = "force-dynamic";');
    expect(source).toContain("export const { GET, POST, PUT, PATCH, DELETE } =");
  });

  it("exist for every contract", () => {
    const urls = new Set(files.map(({ url }) => template(url)));
    expect(contracts.filter((contract) => !urls.has(contract.path)).map((contract) => contract.path)).toEqual(
      [],
    );
  });

  it("have unique operation ids and one contract a method and path", () => {
    const ids = contracts.map((contract) => contract.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const places = contracts.map(({ method, path: place }) => `${method} ${place}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it("declare exactly the parameters that their path has", () => {
    for (const contract of contracts) {
      const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const shape =
        contract.params && "shape" in contract.params ? Object.keys(contract.params.shape as object) : [];
      expect(shape.sort(), contract.path).toEqual(names.sort());
    }
  });
});
