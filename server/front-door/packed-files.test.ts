import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packFiles } from "../../scripts/lib/pack-files.ts";
import { readPackedFiles } from "./packed-files.ts";

const script = "export const greeting = 'hello';\n".repeat(200);
let folder: string;
const server = createServer();

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "packed-"));
  await mkdir(path.join(folder, "chunks"));
  await writeFile(path.join(folder, "chunks", "a.js"), script);
  await writeFile(path.join(folder, "chunks", "secret.txt"), "not a script");
  await packFiles(folder);
  const packed = await readPackedFiles(folder);
  server.on("request", (asked, response) => {
    if (!packed(asked, response)) response.writeHead(404).end("left to Next");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

function ask(target: string, headers: RequestOptions["headers"] = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>(
    (resolve, reject) => {
      request({ port, host: "127.0.0.1", path: target, method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () =>
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      })
        .on("error", reject)
        .end();
    },
  );
}

describe("the portal's scripts", () => {
  const brotli = { "accept-encoding": "gzip, deflate, br" };

  test("come packed, whole and for good to whoever reads Brotli", async () => {
    const answer = await ask("/_next/static/chunks/a.js", brotli);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "application/javascript; charset=UTF-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(brotliDecompressSync(answer.body).toString()).toBe(script);
    const head = await ask("/_next/static/chunks/a.js?v=1", brotli, "HEAD");
    expect(head.headers["content-length"]).toBe(String(answer.body.length));
    expect(head.body).toHaveLength(0);
  });

  test.each([
    ["does not read Brotli", "/_next/static/chunks/a.js", { "accept-encoding": "gzip" }, "GET"],
    ["refuses Brotli", "/_next/static/chunks/a.js", { "accept-encoding": "gzip, br;q=0" }, "GET"],
    ["wants a part", "/_next/static/chunks/a.js", { ...brotli, range: "bytes=0-9" }, "GET"],
    ["writes", "/_next/static/chunks/a.js", brotli, "POST"],
    ["asks for what is no script", "/_next/static/chunks/secret.txt", brotli, "GET"],
    ["asks for a packed file by its own name", "/_next/static/chunks/a.js.br", brotli, "GET"],
    ["climbs out of the folder", "/_next/static/chunks/../../../etc/passwd", brotli, "GET"],
  ])("are left to Next for somebody who %s", async (_, target, headers, method) => {
    expect((await ask(target, headers, method)).status).toBe(404);
  });
});
