import { expect, test } from "vitest";
import * as errors from "./errors.ts";
import * as jobThread from "./job-thread.ts";
import * as outboundError from "./outbound-error.ts";
import { SharedError } from "./shared-error.ts";

/** A module as another bundle has it. */
async function another<Module>(name: string): Promise<Module> {
  return (await import(/* @vite-ignore */ `./${name}.ts?another`)) as Module;
}

test("an error is recognised whichever bundle's copy of its class threw it", async () => {
  const domain = await another<typeof errors>("errors");
  const thread = await another<typeof jobThread>("job-thread");
  const outbound = await another<typeof outboundError>("outbound-error");
  const pairs = [
    [new domain.DomainError("not_found", "There is none."), errors.DomainError, domain.DomainError],
    [new thread.BusyError(1), jobThread.BusyError, thread.BusyError],
    [new thread.TooSlowError("too slow"), jobThread.TooSlowError, thread.TooSlowError],
    [
      new outbound.OutboundError("connect", "refused", "refused", false),
      outboundError.OutboundError,
      outbound.OutboundError,
    ],
  ] as const;
  for (const [error, ours, theirs] of pairs) {
    expect(ours).not.toBe(theirs);
    expect(error instanceof ours).toBe(true);
    expect(error instanceof SharedError).toBe(true);
    expect(error instanceof Error).toBe(true);
    // And no class takes another's errors for its own.
    expect(pairs.filter(([, each]) => error instanceof each)).toHaveLength(1);
  }
});

test("what is no error of ours is of no kind", () => {
  for (const value of [null, undefined, "refused", new Error("refused"), { code: "refused" }]) {
    expect((value as unknown) instanceof outboundError.OutboundError).toBe(false);
    expect((value as unknown) instanceof SharedError).toBe(false);
  }
});
