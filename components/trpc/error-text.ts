import { TRPCClientError } from "@trpc/client";

/** The sentence a person should read when a procedure failed. */
export function errorText(error: unknown): string {
  if (error instanceof TRPCClientError && error.message !== "") return error.message;
  if (error instanceof TypeError) return "The service could not be reached. Check the connection and try again.";
  return "Something went wrong. Try again.";
}
