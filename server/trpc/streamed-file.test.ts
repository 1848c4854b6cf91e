import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { signInWithPassword } from "../access/sign-in.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { serveAuditExport } from "./audit-export.ts";
import { serveRecipientExport } from "./recipient-export.ts";
import { serveContactExport } from "./row-files.ts";
import { sessionSecret } from "./session-token.ts";
import { keepBeside } from "./side-sessions.ts";

const database = await testDatabase();
const password = "correct horse battery staple";
const email = "mia@people.example";

async function organisation() {
  const tenant = await makeTenant(database);
  await tenant.addMember("owner", { email, password });
  return tenant;
}
const [first, newest, stranger] = [await organisation(), await organisation(), await makeTenant(database)];

/** The cookies of a browser that signed in to the first organisation, and then to another one. */
async function browser(): Promise<string> {
  let cookies = "";
  for (const { slug } of [first, newest]) {
    const from = { ip: null, userAgent: null, requestId: "test" };
    const session = await signInWithPassword(database.web, { organisation: slug, email, password, ...from });
    const beside = (await keepBeside(database.web, cookies, session, "HttpOnly")).split(";", 1)[0] ?? "";
    const token = { sid: session.sessionId, tid: session.tenantId, sub: session.userId };
    cookies = `next-auth.session-token=${await encode({ token, secret: sessionSecret() })}; ${beside}`;
  }
  return cookies;
}
const cookie = await browser();
const asked = (query: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
  new Request(`http://localhost:3000/file?${query}`, {
    ...init,
    headers: { cookie, "sec-fetch-site": "same-origin", ...init.headers },
  });
const audit = (slug: string, query = "format=csv", init = {}) => serveAuditExport(asked(query, init), slug);

test("every file is that of the organisation which the page's address names, among all that the browser is signed in to", async () => {
  for (const { slug } of [first, newest]) {
    const trail = await audit(slug);
    expect([trail.status, trail.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(trail.headers.get("content-disposition")).toContain(`audit-${slug}-`);
    expect(await trail.text()).toContain("audit.exported");
    const contacts = await serveContactExport(asked(""), slug);
    expect([contacts.status, (await contacts.text()).length > 0]).toEqual([200, true]);
    // No ticket of theirs: signed in they are.
    expect((await serveRecipientExport(asked("ticket=x"), slug)).status).toBe(404);
  }
  expect((await audit(stranger.slug)).status).toBe(401);
  expect((await serveRecipientExport(asked("ticket=x"), stranger.slug)).status).toBe(401);
});

test("asking with HEAD writes nothing and keeps no place from those who read", async () => {
  for (let count = 0; count < 8; count++) {
    const head = await audit(first.slug, "format=jsonl", { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, null]);
    expect(head.headers.get("content-type")).toBe("application/jsonl; charset=utf-8");
  }
  expect((await (await audit(first.slug)).text()).length).toBeGreaterThan(100);
});

test("what keeps a file from being written is said in words, with the status of the API", async () => {
  const statusOf = async (answer: Promise<Response>) => {
    const { status, headers } = await answer;
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    return status;
  };
  expect(await statusOf(audit(first.slug, "format=exe"))).toBe(422);
  expect(await statusOf(audit(first.slug, "format=csv&q=%00"))).toBe(400);
  expect(
    await statusOf(audit(first.slug, "format=csv", { headers: { "sec-fetch-site": "cross-site" } })),
  ).toBe(403);
  expect(await statusOf(serveAuditExport(new Request("http://localhost:3000/file"), first.slug))).toBe(401);
});
