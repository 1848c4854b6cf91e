import { readFileSync } from "node:fs";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { clientTypes } from "../../../scripts/lib/client-types.ts";

const folder = path.resolve(import.meta.dirname, "..");

async function bundle(format: "esm" | "iife") {
  // Nothing of Node is there: an import of it would fail the build.
  const bundled = await rolldown({
    input: path.join(folder, "src/index.ts"),
    platform: "neutral",
    onLog: (_, log) => {
      throw new Error(log.message);
    },
  });
  const { output } = await bundled.generate({ format, name: "tidings", minify: true });
  await bundled.close();
  const [chunk] = output;
  return { text: chunk.code, inputs: chunk.moduleIds };
}

describe("the library", () => {
  it("has at most 15 KB gzipped, and nothing of other packages", async () => {
    const { text, inputs } = await bundle("esm");
    const bytes = gzipSync(text).length;
    console.info(`tidings: ${String(bytes)} bytes gzipped`);
    expect(bytes).toBeLessThanOrEqual(15_000);
    expect(inputs.filter((file) => file.includes("node_modules") || file.includes("server/"))).toEqual([]);
    const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as object;
    expect(manifest).not.toHaveProperty("dependencies");
  });

  it("runs where there is no Node: fetch and WebCrypto are all it has", async () => {
    const { text } = await bundle("iife");
    const calls: { url: string; headers: Headers }[] = [];
    const edge = createContext({
      AbortController,
      Headers,
      TextDecoder,
      TextEncoder,
      URLSearchParams,
      atob,
      clearTimeout,
      crypto,
      setTimeout,
      fetch: (url: string, { headers }: { headers: Headers }) => {
        calls.push({ url, headers });
        return Promise.resolve(Response.json({ data: [{ notificationId: "1" }], nextCursor: null }));
      },
    });
    const answer = (await runInContext(
      `${text}
       const client = new tidings.Tidings({ baseUrl: "https://tidings.example/", apiKey: "k", tenantId: "t" });
       client.messages.list({ limit: 1, status: undefined }).toArray();`,
      edge,
    )) as unknown[];
    expect(answer).toHaveLength(1);
    expect(calls[0]!.url).toBe("https://tidings.example/v1/notifications?limit=1");
    expect(calls[0]!.headers.get("x-tenant-id")).toBe("t");
    const refusal = (await runInContext(
      `tidings.verifyWebhook("{}", { "webhook-id": "1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
         "webhook-signature": "v1,AAAA" }, "whsec_AAAA").catch((error) => error.code)`,
      edge,
    )) as string;
    expect(refusal).toBe("invalid_webhook");
  });

  it("has the types of the OpenAPI document as it is served; `npm run generate:clients` writes them", async () => {
    expect(readFileSync(path.join(folder, "src/schema.ts"), "utf8")).toBe(await clientTypes());
  });
});
