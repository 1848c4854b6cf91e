import { TRPCClientError } from "@trpc/client";

type ProblemData = { errors?: readonly { pointer: string; detail: string }[] };

function problemOf(error: unknown): ProblemData | undefined {
  return error instanceof TRPCClientError ? ((error.data as ProblemData | null) ?? undefined) : undefined;
}

/** The sentence a person should read when a procedure failed. */
export function errorText(error: unknown): string {
  if (error instanceof TRPCClientError && error.message !== "") {
    if (/failed to fetch|networkerror|load failed/i.test(error.message)) return unreachable;
    return error.message;
  }
  if (error instanceof TypeError) return unreachable;
  return "Something went wrong. Try again.";
}

const unreachable = "The service could not be reached. Check the connection and try again.";

/** Complaints about single fields, by the first part of their pointer: `/recipients/0/recipient` → `recipients`. */
export function fieldErrors(error: unknown): Record<string, string> {
  const entries = (problemOf(error)?.errors ?? []).map(
    (each) => [each.pointer.split("/")[1] ?? "", each.detail] as const,
  );
  return Object.fromEntries(entries.toReversed());
}
