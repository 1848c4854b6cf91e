import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { errorTable } from "../kernel/errors.ts";
import { contracts } from "./contracts.ts";
import { openApiDocument, openApiText } from "./openapi.ts";

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string }[];
  requestBody?: unknown;
  responses: Record<string, { description: string; headers?: object; content?: Record<string, unknown> }>;
}
const document = JSON.parse(openApiText(contracts)) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
  "x-webhooks": Record<string, unknown>;
};

describe("the OpenAPI document", () => {
  it("is OpenAPI 3.0 without a finding of Spectral, not even a warning", async () => {
    expect(document.openapi).toMatch(/^3\.0\./);
    const folder = await mkdtemp(path.join(tmpdir(), "openapi-"));
    try {
      const file = path.join(folder, "openapi.json");
      await writeFile(file, openApiText(contracts));
      const spectral = createRequire(import.meta.url).resolve("@stoplight/spectral-cli/dist/index.js");
      const ruleset = path.resolve(import.meta.dirname, "../../.spectral.yaml");
      const args = [
        spectral,
        "lint",
        file,
        "--ruleset",
        ruleset,
        "--fail-severity",
        "hint",
        "--format",
        "text",
      ];
      const findings = await promisify(execFile)(process.execPath, args).then(
        () => "",
        (error: unknown) => (error as { stdout: string }).stdout,
      );
      expect(findings).toBe("");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("contains every contract, and nothing else", () => {
    const inDocument = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`,
      ),
    );
    expect(inDocument.toSorted()).toEqual(
      contracts.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).sort(),
    );
  });

  it("lists the errors of every operation, as problem documents", () => {
    for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(["401", "403", "429", "500", "503"]),
      );
      if (operation.requestBody)
        expect(Object.keys(operation.responses)).toEqual(
          expect.arrayContaining(["400", "413", "415", "422"]),
        );
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        expect(Object.keys(response.content ?? {})).toEqual(["application/problem+json"]);
        for (const [, code] of response.description.matchAll(/`(\w+)`/g)) {
          expect(errorTable).toHaveProperty(code ?? "");
          expect(errorTable[code as keyof typeof errorTable].status).toBe(Number(status));
        }
      }
    }
  });

  it("describes every webhook event", () => {
    expect(Object.keys(document["x-webhooks"])).toContain("notification.delivered");
    expect(document.components.schemas).toHaveProperty("WebhookEvent");
    expect(document.components.schemas).toHaveProperty("Problem");
  });

  it("is the same on every run", () => {
    expect(JSON.stringify(openApiDocument(contracts))).toBe(openApiText(contracts));
  });
});
