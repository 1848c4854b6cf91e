import { DomainError } from "../kernel/errors.ts";

/** What a use case threw, when it is one of ours; anything else, and nothing thrown, fails the test. */
export async function refusal(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw new Error("it was not refused", { cause: error });
}
