import type { LookupAddress, LookupAllOptions } from "node:dns";
import { expect, it, vi } from "vitest";
import { createAddressGuard } from "./outbound-address.ts";

type Answer = (error: Error | null, addresses: LookupAddress[]) => void;
const asked: { name: string; answer: Answer }[] = [];

/** DNS knows no name, and the system's resolver answers when the test says so. */
vi.mock("node:dns", () => ({
  Resolver: class {
    readonly resolve4 = (_name: string, done: (error: Error) => void) =>
      done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }));
    readonly resolve6 = this.resolve4;
  },
  lookup: (name: string, _options: LookupAllOptions, answer: Answer) => void asked.push({ name, answer }),
}));

const guard = createAddressGuard(["127.0.0.0/8"]);
const answerAll = () => {
  for (const { answer } of asked.splice(0)) answer(null, [{ address: "127.0.0.1", family: 4 }]);
};
const allowed = [{ address: "127.0.0.1", family: 4, allowed: true }];

it("slow names of others hold up no name without a dot", async () => {
  let found = 0;
  for (let index = 0; index < 20; index++)
    void guard.resolve(`slow-${String(index)}.example`, 443).then(() => found++);
  await vi.waitFor(() => expect(asked.map(({ name }) => name)).toEqual(["slow-0.example"]));
  const own = guard.resolve("mailhog", 1_025);
  await vi.waitFor(() => expect(asked.at(-1)?.name).toBe("mailhog"));
  asked.pop()?.answer(null, [{ address: "127.0.0.1", family: 4 }]);
  expect(await own).toEqual(allowed);
  const answered = () => {
    answerAll();
    expect(found).toBe(20);
  };
  await vi.waitFor(answered, { timeout: 4_000, interval: 5 });
});

it("all who need one name at the same time share one lookup", async () => {
  const all = Array.from({ length: 5 }, () => guard.resolve("hosts-file.example", 443));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  answerAll();
  expect(await Promise.all(all)).toEqual(all.map(() => allowed));
  expect(asked).toEqual([]);
});

it("a name whose turn does not come in time is not looked up any more", async () => {
  const first = guard.resolve("first.example", 443);
  const late = guard.resolve("late.example", 443);
  await expect(late).rejects.toThrow();
  answerAll();
  expect(await first).toEqual(allowed);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toEqual([]);
}, 15_000);
