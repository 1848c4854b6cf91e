import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkBlock } from "./checks.ts";
import { readPage, treatmentOf } from "./page.ts";
import { runBlock } from "./run-block.ts";
import { Session } from "./session.ts";

/** Answers with the status that the path names, and with what was sent. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const id = Buffer.concat(chunks).toString() || "nothing";
    response.writeHead(Number(request.url?.slice(1))).end(JSON.stringify({ id }));
  });
});
const dataDir = mkdtempSync(path.join(tmpdir(), "tidings-documentation-test-"));
let session: Session;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  session = new Session(dataDir, {
    TIDINGS_URL: `http://127.0.0.1:${String(port)}`,
    TIDINGS_API_KEY: "a-key",
  });
});
afterAll(() => {
  session.close();
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What is wrong with the page's blocks, one after the other. */
async function wrongWith(markdown: string): Promise<string[]> {
  const problems: string[] = [];
  for (const block of readPage(markdown).blocks) {
    const treatment = treatmentOf(block);
    if (treatment.kind === "run") problems.push(...(await runBlock(block, treatment.how, session)));
    else if (treatment.kind === "check")
      problems.push(...(await checkBlock(block, treatment.how, "README.md")));
    else problems.push(`${treatment.kind}, and neither run nor checked`);
  }
  return problems;
}

const sh = (code: string, ...notes: string[]) =>
  `${notes.map((note) => `<!-- ${note} -->\n`).join("")}\`\`\`sh\n${code}\n\`\`\`\n`;

test("a command that fails makes its block fail, unless the page says so", async () => {
  expect(await wrongWith(sh("true"))).toEqual([]);
  expect(await wrongWith(sh("false\ntrue"))).toHaveLength(1);
  expect(await wrongWith(sh("frobnicate"))).toHaveLength(1);
  expect(await wrongWith(sh("echo $NOT_SET"))).toHaveLength(1);
  expect(await wrongWith(sh("exit 3", "exits: 3"))).toEqual([]);
  expect(await wrongWith(sh("true", "exits: 3"))).toHaveLength(1);
});

test("an answer that is not 2xx makes its block fail, unless the page says so", async () => {
  expect(await wrongWith(sh('curl "$TIDINGS_URL/202"'))).toEqual([]);
  expect((await wrongWith(sh('curl "$TIDINGS_URL/422" | cat'))).join()).toContain(
    "was answered 422 instead of 2xx",
  );
  expect(await wrongWith(sh('curl "$TIDINGS_URL/422"', "answers: 422"))).toEqual([]);
  expect(await wrongWith(sh('curl "$TIDINGS_URL/200"', "answers: 422"))).toHaveLength(1);
  expect(await wrongWith(sh("true", "answers: 422"))).toHaveLength(1);
});

test("a page is one session: what is assigned, printed or answered, later blocks have", async () => {
  const page = [
    sh("NAME=Ada\necho CODE=4711"),
    sh('test "$NAME $CODE" = "Ada 4711"\ncurl "$TIDINGS_URL/200" -d order-1'),
    sh('test "$ID" = order-1', "before: ID=$(answer id)"),
  ];
  expect(await wrongWith(page.join("\n"))).toEqual([]);
});

test("what should hold before and after a block makes it fail when it does not", async () => {
  expect(await wrongWith(sh("true", "before: false"))).toHaveLength(1);
  expect(await wrongWith(sh("echo one > made", "after: grep two made"))).toHaveLength(1);
});

test("a service that does not say what it should makes its block fail", async () => {
  expect(await wrongWith(sh("echo up; sleep 60", "starts: up"))).toEqual([]);
  expect(await wrongWith(sh("echo down", "starts: up"))).toHaveLength(1);
});

test("JSON is sent where the page says, and its answer counts", async () => {
  expect(await wrongWith("<!-- body of: POST /200 -->\n```json\n{}\n```")).toEqual([]);
  expect(await wrongWith("<!-- body of: POST /422 -->\n```json\n{}\n```")).toHaveLength(1);
});

test.each([
  ["json", "", '{ "a": 1 }', '{ "a": 1, }'],
  ["yaml", "", "a: [1, 2]", "a: [1, 2"],
  [
    "csv",
    "",
    "channel,country,amount,currency\nsms,DE,0.07,EUR",
    "channel,country,amount,currency\nsms,Germany,0.07,EUR",
  ],
  ["liquid", "", "{{ url | shorten }}", "{{ url | shorter }}"],
  ["ts", "", 'const a: string = "b";\nexport { a };', "const a: string = 1;\nexport { a };"],
  ["json", "<!-- webhook: data of processing.error -->\n", '{ "code": "a" }', '{ "code": 1 }'],
  ["js", "", "process.exit(0)", "process.exit(1)"],
])("%s that is wrong is found (%s)", async (language, note, right, wrong) => {
  const block = (code: string) => `${note}\`\`\`${language}\n${code}\n\`\`\``;
  expect(await wrongWith(block(right))).toEqual([]);
  expect(await wrongWith(block(wrong))).not.toEqual([]);
});

test("a note that names a test which does not read the page is wrong", async () => {
  const block = (file: string) => `<!-- checked by: ${file} -->\n\`\`\`\nurl x\n\`\`\``;
  expect(await wrongWith(block("scripts/documentation.test.ts"))).toEqual([]);
  expect(await wrongWith(block("scripts/nothing.test.ts"))).toHaveLength(1);
  expect(await wrongWith(block("server/kernel/ids.test.ts"))).toHaveLength(1);
});
