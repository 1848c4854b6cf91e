import { hash } from "@node-rs/argon2";
import { expect, test, vi } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<Record<string, unknown> & { hash: typeof hash }>();
  return { ...real, hash: vi.fn(real.hash) };
});

test("a dummy hash that could not be computed is computed at the next sign-in", async () => {
  vi.mocked(hash).mockRejectedValueOnce(new Error("no memory"));
  await expect(verifyPassword(null, "anything")).rejects.toThrow("no memory");
  await expect(verifyPassword(null, "anything")).resolves.toBe(false);
  await expect(verifyPassword(await hashPassword("mine"), "mine")).resolves.toBe(true);
});

test("the number of concurrent hashes is bounded, and no address fills the queue for the others", async () => {
  const stored = await hashPassword("mine");
  const codes = (from: string, count: number) =>
    Array.from({ length: count }, () =>
      verifyPassword(stored, "mine", from).then(
        () => "fine",
        (error: unknown) => (error as { code: string }).code,
      ),
    );
  const flood = codes("192.0.2.1", 40);
  const others = ["192.0.2.2", "192.0.2.3"].flatMap((from) => codes(from, 4));
  expect(await Promise.all(others)).toEqual(Array.from({ length: 8 }, () => "fine"));
  const outcomes = await Promise.all(flood);
  expect(outcomes.filter((code) => code === "fine")).toHaveLength(8);
  expect(outcomes.filter((code) => code === "service_overloaded")).toHaveLength(32);
  expect(await Promise.all(codes("192.0.2.1", 8))).toEqual(Array.from({ length: 8 }, () => "fine"));
});
