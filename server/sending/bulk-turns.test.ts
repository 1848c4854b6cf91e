import { describe, expect, it } from "vitest";
import { bulkQueue, isBulk } from "./bulk-turns.ts";

/** Work that ends when the test releases it, and the order in which it began. */
function works() {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    began,
    work,
    end: async (name: string) => {
      ends.get(name)?.();
      await settled();
    },
  };
}

describe("bulk statements", () => {
  it("run one at a time, and tenants take turns however much one of them has waiting", async () => {
    const turns = bulkQueue(1);
    const { began, work, end } = works();
    const all = [
      turns.run("a", work("a1")),
      turns.run("a", work("a2")),
      turns.run("a", work("a3")),
      turns.run("b", work("b1")),
      turns.run("c", work("c1")),
      turns.run("b", work("b2")),
    ];
    expect(began).toEqual(["a1"]);
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) await end(name);
    expect(began).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
    expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "c1", "b2"]);
    expect(turns.size).toBe(0);
  });

  it("pass their turn on when they fail", async () => {
    const turns = bulkQueue(1);
    const failed = turns.run("a", () => Promise.reject(new Error("no")));
    const second = turns.run("b", () => Promise.resolve("done"));
    await expect(failed).rejects.toThrow("no");
    expect(await second).toBe("done");
    expect(await turns.run("c", () => Promise.resolve("free again"))).toBe("free again");
  });

  it("are refused when too many wait, of one tenant or of all", async () => {
    const turns = bulkQueue(1);
    const { work, end, began } = works();
    const running = turns.run("a", work("first"));
    const waiting = Array.from({ length: 8 }, (_, i) => turns.run("a", work(`a${i}`)));
    await expect(turns.run("a", work("x"))).rejects.toMatchObject({
      code: "service_overloaded",
      retryAfter: 2,
    });
    // Another tenant still gets into the queue.
    for (let i = 0; i < 92; i++) waiting.push(turns.run(`t${i}`, work(`t${i}`)));
    await expect(turns.run("late", work("x"))).rejects.toMatchObject({ code: "service_overloaded" });
    await end("first");
    for (let i = 0; i < 100; i++) await end(began.at(-1) ?? "");
    expect(await running).toBe("first");
    expect(await Promise.all(waiting)).toHaveLength(100);
    expect(began).not.toContain("x");
  });

  it("are requests with many messages, not many requests", () => {
    expect([1, 10, 11, 1_000].map(isBulk)).toEqual([false, false, true, true]);
  });
});
