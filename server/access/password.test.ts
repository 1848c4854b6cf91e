import { hash } from "@node-rs/argon2";
import { expect, test, vi } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<Record<string, unknown> & { hash: typeof hash }>();
  return { ...real, hash: vi.fn(real.hash) };
});

test("a hash that could not be made once is made at the next sign-in", async () => {
  vi.mocked(hash).mockRejectedValueOnce(new Error("no memory"));
  await expect(verifyPassword(null, "anything")).rejects.toThrow("no memory");
  await expect(verifyPassword(null, "anything")).resolves.toBe(false);
  await expect(verifyPassword(await hashPassword("mine"), "mine")).resolves.toBe(true);
});
