import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isFailureCode, messageFailures } from "../kernel/message-failures.ts";
import { testDatabase } from "../testing/database.ts";
import { errorsPage } from "./docs-pages.ts";

const database = await testDatabase();
const codes = Object.keys(messageFailures);

const sources = globSync("server/**/*.ts")
  .filter((file) => !/\.test\.ts$|^server\/testing\/|message-failures\.ts$|\/generated\//.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** What adapters and sending write: objects with a code and a detail, other than errors of fields and credentials, and calls. */
const written = sources
  .filter(({ file }) => /\/(adapters|sending)\//.test(file))
  .flatMap(({ text }) => [
    ...[...text.matchAll(/\{[^{}]*\bcode: "([a-z_]+)"[^{}]*\}/g)].filter(
      ([object]) => /\bdetail\b/.test(object) && !/\b(?:pointer|credential)\b/.test(object),
    ),
    ...text.matchAll(/\b(?:notTried|problem|notSent)\(\s*"\w+",\s*"(\w+)"/g),
  ])
  .map(([, code]) => code);

describe("the table of message failures", () => {
  it("contains every code that adapters and sending write", () => {
    expect(written.length).toBeGreaterThan(60);
    expect(written.filter((code) => !isFailureCode(code))).toEqual([]);
  });

  it("contains every code with which the database refuses a message", async () => {
    const { rows } = await database.owner.query<{ prosrc: string }>(
      "SELECT prosrc FROM pg_proc WHERE proname = 'send_refusal'",
    );
    const refusals = [...(rows[0]?.prosrc ?? "").matchAll(/THEN '(\w+)'/g)].map(([, code]) => code);
    expect(refusals).toContain("suppressed");
    expect(refusals.filter((code) => !isFailureCode(code))).toEqual([]);
  });

  it("contains none that nothing writes", () => {
    const unused = codes.filter((code) => !sources.some(({ text }) => text.includes(`"${code}"`)));
    expect(unused).toEqual([]);
  });

  it("is shown completely at /docs/errors, beside the errors of the API", async () => {
    const page = await errorsPage().text();
    for (const code of codes) expect(page).toContain(`<tr id="message-${code}">`);
    expect(page).toContain('<tr id="unauthenticated">');
  });
});
