import { DomainError } from "../kernel/errors.ts";

/** The DomainError that a use case threw; any other error, or none, fails the test. */
export async function refusal(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw new Error("it was not refused", { cause: error });
}

/** The code of what a use case threw; "" when it threw nothing. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );
