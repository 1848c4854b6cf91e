import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { getPathMatch } from "next/dist/shared/lib/router/utils/path-match.js";
import { describe, expect, it } from "vitest";
import { rewrites } from "../../next.config.js";
import type { RestContract } from "../operations/operation.ts";
import { testDatabase } from "../testing/database.ts";
import { contracts } from "./contracts.ts";
import { segmentsOf } from "./path-tree.ts";
import { answerRoute, pathTree, servePath } from "./serve-path.ts";

const database = await testDatabase();
const tree = pathTree({ db: () => database.web });
const call = (method: string, target: string) => {
  const [pathname = "/"] = target.split("?", 1);
  return servePath(tree, new Request(`http://tidings.test${target}`, { method }), segmentsOf(pathname));
};
type Operations = Record<string, { rest: RestContract | undefined }>;
const sample = (template: string) => template.replace(/\{\w+\}/g, "x");

describe("public REST routes", () => {
  it.each(contracts.map((contract) => [contract.method, contract.path] as const))(
    "%s %s is served, and only with a key",
    async (method, template) => {
      const answer = await call(method, sample(template));
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
    },
  );

  it("every domain's operations are all served", async () => {
    const server = path.resolve(import.meta.dirname, "..");
    const files = (await readdir(server, { recursive: true })).filter((name) =>
      /^[\w-]+\/([\w-]+-)?operations\.ts$/.test(name),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const domain = (await import(path.join(server, file))) as Record<string, Operations>;
      for (const { rest } of Object.values(domain).flatMap((declared) => Object.values(declared))) {
        if (rest) expect(contracts, file).toContain(rest);
      }
    }
  });

  it("have unique operation ids, one contract per method and path, and a permission each", () => {
    const ids = contracts.map((contract) => contract.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const places = contracts.map(({ method, path: place }) => `${method} ${place}`);
    expect(new Set(places).size).toBe(places.length);
    for (const contract of contracts) expect(contract.permission, contract.operationId).toMatch(/^\w+:\w+$/);
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

describe("a path of the API", () => {
  it("answers 405 with Allow to methods that it does not have", async () => {
    const response = await call("PUT", "/api/app/notifications/send");
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
  });

  it("answers OPTIONS with the methods that it has", async () => {
    const response = await call("OPTIONS", "/v1/webhooks");
    expect(response.status).toBe(204);
    expect(response.headers.get("allow")?.split(", ").sort()).toEqual(["GET", "HEAD", "OPTIONS", "POST"]);
  });

  it("has the same methods for OPTIONS, for a 405, and in the OpenAPI document", async () => {
    for (const [template, group] of Map.groupBy(contracts, ({ path: at }) => at)) {
      const methods = group.map(({ method }): string => method);
      const foreign = ["PUT", "POST", "GET", "PATCH", "DELETE"].find((method) => !methods.includes(method));
      const [asked, refused] = await Promise.all([
        call("OPTIONS", sample(template)),
        call(foreign ?? "", sample(template)),
      ]);
      expect([asked.status, refused.status], template).toEqual([204, 405]);
      expect(refused.headers.get("allow"), template).toBe(asked.headers.get("allow"));
      const expected = [...methods, "OPTIONS", ...(methods.includes("GET") ? ["HEAD"] : [])];
      expect(asked.headers.get("allow")?.split(", ").sort(), template).toEqual(expected.sort());
    }
  });

  it.each([
    "/v1",
    "/v1/nothing",
    "/v1/webhooks/x/y/z",
    "/api/app",
    "/v1/__proto__",
    "/v1//webhooks",
    "/v1/%2f",
  ])("%s does not exist and is answered with a problem document", async (target) => {
    const response = await call("GET", target);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  it("with a trailing slash redirects to the one without, never to another host", async () => {
    const response = await call("GET", "/v1/webhooks/?limit=1");
    expect([response.status, response.headers.get("location")]).toEqual([308, "/v1/webhooks?limit=1"]);
  });

  it("takes an encoded slash as part of a parameter", async () => {
    expect((await call("GET", "/v1/webhooks%2fx")).status).toBe(404);
    expect((await call("GET", "/v1/webhooks/a%2fb")).status).toBe(401);
  });
});

it.each(["/v1/openapi.json", "/v1/postman.json"])(
  "%s is in memory once, however many take it slowly",
  async (target) => {
    const bodies = [];
    for (let count = 0; count < 2; count++) {
      const answer = await call("GET", target);
      bodies.push((answer as unknown as { _toNodeResponse(): { body: unknown } })._toNodeResponse().body);
    }
    expect(bodies[0]).toBeInstanceOf(Uint8Array);
    expect(bodies[1]).toBe(bodies[0]);
  },
);

it("Next alone serves the same paths: rewrites lead to the one route file that mounts the dispatcher", async () => {
  const app = path.resolve(import.meta.dirname, "../../app");
  const sources = (await readdir(app, { recursive: true }))
    .filter((name) => path.basename(name) === "route.ts")
    .map((name) => [name, readFileSync(path.join(app, name), "utf8")] as const)
    .filter(([, source]) => source.includes("answerRoute"));
  expect(sources.map(([name]) => name)).toEqual(["api/app/[[...path]]/route.ts"]);
  // Without this Next wraps each request in a proxy, and may answer from a cache.
  expect(sources[0]?.[1]).toContain('export const dynamic = "force-dynamic";');
  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    expect(sources[0]?.[1]).toContain(`answerRoute as ${method},`);
  }

  const { beforeFiles } = await rewrites();
  const mounted = (at: string) =>
    at.startsWith("/api/app/") || beforeFiles.some(({ source }) => getPathMatch(source)(at) !== false);
  const others = [
    "/v1",
    "/scim/v2/Users",
    "/scim/v2/Groups/x",
    "/v1/openapi.json",
    "/l/x",
    "/status/x",
    "/api/callbacks/x",
    "/healthz",
    "/readyz",
  ];
  for (const at of [...contracts.map((contract) => sample(contract.path)), ...others]) {
    expect(mounted(at), at).toBe(true);
  }
  for (const at of [
    "/",
    "/v1x/overview",
    "/link",
    "/healthzz",
    "/docs",
    "/api/trpc/x",
    "/api/auth/session",
  ]) {
    expect(mounted(at), at).toBe(false);
  }
  const response = await answerRoute(new Request("http://10.0.0.7:3000/healthz?x=1"));
  expect(await response.json()).toEqual({ status: "ok" });
});
