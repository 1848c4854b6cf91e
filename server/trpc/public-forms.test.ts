import { expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { handlePasskeyRequest } from "./passkey-request.ts";
import { handleForgotPassword, handleInvitation, handleSetPassword, handleSetUp } from "./public-forms.ts";

await testDatabase();

/** Every form of somebody who is not signed in, with something that it could take. */
const forms: [string, (request: Request) => Promise<Response>, Record<string, unknown>][] = [
  ["set-up", handleSetUp, { token: "canary-token", name: "A" }],
  ["set-password", handleSetPassword, { token: "canary-token", password: "quiet otters knit nine" }],
  ["invitation", handleInvitation, { token: "canary-token" }],
  ["forgot-password", handleForgotPassword, { email: "canary-token@acme.example" }],
  ["passkey", handlePasskeyRequest, {}],
];
const post = (name: string, body: unknown, headers: Record<string, string | null> = {}) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const sent: Record<string, string | null> = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    "sec-fetch-site": "same-origin",
    ...headers,
  };
  return new Request(`http://localhost:3000/api/${name}`, {
    method: "POST",
    body: text,
    headers: Object.fromEntries(
      Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  });
};

for (const [name, handle, body] of forms) {
  test(`${name}: what does not come from our own pages is refused`, async () => {
    const foreign: Record<string, string | null>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": null },
      { "sec-fetch-site": null, origin: "https://evil.example" },
      { "sec-fetch-site": null, origin: "null" },
    ];
    for (const headers of foreign) expect((await handle(post(name, body, headers))).status).toBe(403);
    // What a form of another site can send without asking.
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      expect((await handle(post(name, body, { "content-type": type }))).status).toBe(415);
    }
  });

  test(`${name}: what is too long, unreadable or of another shape is refused, and nothing of it is repeated`, async () => {
    expect((await handle(post(name, body, { "content-length": "20000" }))).status).toBe(413);
    expect((await handle(post(name, body, { "content-length": null }))).status).toBe(413);
    for (const odd of [
      '{"canary',
      "null",
      "[]",
      '{"token":"canary\\u0000"}',
      `${'{"a":'.repeat(100)}1${"}".repeat(100)}`,
      JSON.stringify({ ...body, canary: 1, token: 7, email: 7 }),
    ]) {
      const answer = await handle(post(name, odd));
      expect([400, 422], odd.slice(0, 40)).toContain(answer.status);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.text()).not.toContain("canary-token");
    }
  });
}
