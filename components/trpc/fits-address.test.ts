import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { describe, expect, it } from "vitest";
import type { AppRouter } from "../../server/trpc/root.ts";
import { fitsAddress, maxAddress } from "./fits-address.ts";
import { transformer } from "./transformer.ts";

const groups = (count: number) => ({
  contactGroups: Array.from({ length: count }, (_, index) => ({
    group: `${"\u0646\u0634\u0631\u0629 ".repeat(15)}${String(index)}`,
    channels: ["email", "sms", "whatsapp"],
  })),
});

/** Whether the client's link asks at all. */
async function isAsked(input: unknown): Promise<boolean> {
  let asked = false;
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: "http://localhost/api/trpc",
        maxURLLength: maxAddress,
        transformer,
        fetch: () => {
          asked = true;
          return Promise.reject(new Error("asked"));
        },
      }),
    ],
  });
  await client.broadcasts.audience.query(input as never).catch(() => undefined);
  return asked;
}

describe("what a query asks", () => {
  it("goes into an address while it is short, also without an input", async () => {
    expect(fitsAddress(undefined)).toBe(true);
    expect(fitsAddress(groups(1))).toBe(true);
    expect(await isAsked(groups(1))).toBe(true);
  });

  it("is posted when it is longer than an address takes: many groups with long names, or a long value", async () => {
    expect(await isAsked(groups(30))).toBe(false);
    expect(fitsAddress(groups(30))).toBe(false);
    expect(fitsAddress({ variables: { text: "\u00fc".repeat(2_000) } })).toBe(false);
  });

  it("is never called short when the client would refuse it", async () => {
    for (let count = 1; count < 12; count++) {
      if (fitsAddress(groups(count))) expect(await isAsked(groups(count))).toBe(true);
    }
  });
});
