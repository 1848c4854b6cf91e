/** Meta's signature and its question about the address; what its webhooks say is in callbacks.test.ts. */
import { expect, it } from "vitest";
import type { CallbackResult } from "../adapter.ts";
import { metaSignature, parseMetaCallback } from "./meta-callback.ts";

it("signs with hexadecimal HMAC-SHA256 of the body after sha256=", () => {
  expect(metaSignature("key", Buffer.from("The quick brown fox jumps over the lazy dog"))).toBe(
    "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
  );
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
