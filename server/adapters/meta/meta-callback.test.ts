/** Meta's signature and its question about the address; what its webhooks say is in callbacks.test.ts. */
import { expect, it } from "vitest";
import type { CallbackResult } from "../adapter.ts";
import { metaSignature, parseMetaCallback } from "./meta-callback.ts";

it("signs with hexadecimal HMAC-SHA256 of the body after sha256=", () => {
  expect(metaSignature("key", Buffer.from("The quick brown fox jumps over the lazy dog"))).toBe(
    "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
  );
});

it("reads what was decided about a template's category, at once or announced, and which user id replaced another", () => {
  const change = (field: string, value: object) => ({
    entry: [{ id: "102290129340398", changes: [{ field, value }] }],
  });
  const parsed = (payload: object) => {
    const rawBody = Buffer.from(JSON.stringify(payload));
    const headers = { "x-hub-signature-256": metaSignature("app-secret", rawBody) };
    const request = { method: "POST", url: "https://tidings.example/api/callbacks/c1", headers, rawBody };
    return parseMetaCallback({ appSecret: "app-secret", verifyToken: "verify me" }, request);
  };
  const template = { message_template_name: "shipped", message_template_language: "en_US" };
  const field = "template_category_update";
  expect(
    parsed(change(field, { ...template, previous_category: "UTILITY", new_category: "MARKETING" })),
  ).toMatchObject({ templates: [{ template: "shipped", language: "en_US", category: "marketing" }] });
  expect(
    parsed(
      change(field, {
        ...template,
        new_category: "UTILITY",
        correct_category: "MARKETING",
        category_update_timestamp: 1_760_711_433,
      }),
    ),
  ).toMatchObject({
    templates: [{ category: "utility" }, { category: "marketing", effectiveAt: new Date(1_760_711_433_000) }],
  });
  const [previous, current] = ["DE.1", "DE.2"];
  expect(
    parsed(change("user_id_update", { user_id_update: [{ user_id: { previous, current } }] })),
  ).toMatchObject({ people: [{ sameAs: [current, previous] }] });
  for (const nothing of [{ ...template, new_category: "SALE" }, { new_category: "MARKETING" }, {}]) {
    expect(parsed(change(field, nothing))).toEqual({ authentic: true, receipts: [], inbound: [] });
  }
});

const ask = (query: Record<string, string>): CallbackResult =>
  parseMetaCallback(
    { appSecret: "app-secret", verifyToken: "verify me" },
    {
      method: "GET",
      url: `https://tidings.example/api/callbacks/c1?${new URLSearchParams(query).toString()}`,
      headers: {},
      rawBody: Buffer.alloc(0),
    },
  );
const good = { "hub.mode": "subscribe", "hub.verify_token": "verify me", "hub.challenge": "1158201444" };

it("answers the question whether the address is ours with the challenge when the token is ours", () => {
  expect(ask(good)).toEqual({
    authentic: true,
    receipts: [],
    inbound: [],
    response: { status: 200, contentType: "text/plain", body: "1158201444" },
  });
});

it.each<[string, Record<string, string>]>([
  ["another token", { ...good, "hub.verify_token": "verify mf" }],
  ["no token", { "hub.mode": "subscribe", "hub.challenge": "1" }],
  ["another mode", { ...good, "hub.mode": "unsubscribe" }],
  ["no challenge", { "hub.mode": "subscribe", "hub.verify_token": "verify me" }],
  ["a challenge that is markup", { ...good, "hub.challenge": "<script>" }],
])("does not answer it with %s", (_what, query) => {
  expect(ask(query)).toEqual({ authentic: false });
});
