import { TRPCClientError } from "@trpc/client";

type ProblemData = {
  code?: string;
  errors?: readonly { pointer: string; detail: string }[];
  extra?: Readonly<Record<string, unknown>>;
};

function problemOf(error: unknown): ProblemData | undefined {
  return error instanceof TRPCClientError ? ((error.data as ProblemData | null) ?? undefined) : undefined;
}

/** The sentence a person should read when a procedure failed. */
export function errorText(error: unknown): string {
  if (error instanceof TRPCClientError && error.message !== "") {
    // Without the service's own words there was no answer, or a gateway's page instead of one.
    return problemOf(error) ? error.message : unreachable;
  }
  if (error instanceof TypeError) return unreachable;
  return "Something went wrong. Try again.";
}

const unreachable = "The service couldn't be reached. Check your connection and try again.";

/** Complaints about single fields, by the first part of their pointer: `/recipients/0/recipient` → `recipients`. */
export function fieldErrors(error: unknown): Record<string, string> {
  const entries = (problemOf(error)?.errors ?? []).map(
    (each) => [each.pointer.split("/")[1] ?? "", each.detail] as const,
  );
  return Object.fromEntries(entries.toReversed());
}

/** All complaints with their whole JSON pointer. */
export function fieldProblems(error: unknown): readonly { pointer: string; detail: string }[] {
  return problemOf(error)?.errors ?? [];
}

/** The code of the error table, e.g. `promotion_conflict`; undefined when the request never got an answer. */
export function errorCode(error: unknown): string | undefined {
  return problemOf(error)?.code;
}

/** Whether what was asked for is not there, or not for the reader: asked again it is answered the same. */
export function isRefused(error: unknown): boolean {
  return ["not_found", "permission_denied"].includes(errorCode(error) ?? "");
}

/** A further member of the answer, e.g. `conflicts`; undefined when there is none. Its shape is the reader's to check. */
export function errorMember(error: unknown, name: string): unknown {
  return problemOf(error)?.extra?.[name];
}
