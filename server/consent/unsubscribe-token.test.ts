import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { readUnsubscribeToken, unsubscribeHeaders, unsubscribeToken } from "./unsubscribe-token.ts";

const one = {
  tenantId: newId(),
  sandbox: false,
  address: "ada@example.com",
  class: "marketing",
  language: "en",
} as const;

test("a link to unsubscribe is the same in each attempt of a message, another one for anything else, and says what it was made for", () => {
  const token = unsubscribeToken(one);
  expect(unsubscribeToken({ ...one })).toBe(token);
  expect(unsubscribeHeaders("https://tidings.example", one)).toEqual(
    unsubscribeHeaders("https://tidings.example", { ...one }),
  );
  const others = [
    { ...one, address: "bob@example.com" },
    { ...one, sandbox: true },
    { ...one, tenantId: newId() },
    { ...one, class: "service" as const },
  ].map(unsubscribeToken);
  // The initialisation vectors differ as well: two texts under one would give both away.
  const vectors = [token, ...others].map((each) =>
    Buffer.from(each, "base64url").subarray(1, 13).toString("hex"),
  );
  expect(new Set(vectors).size).toBe(5);
  expect(readUnsubscribeToken(token)).toEqual(one);
});
