import { isFailureCode, messageFailures, retryDescriptions } from "../../server/kernel/message-failures.ts";
import { humanize } from "../ui/format.ts";

/** What a code of a failed message or attempt means, and whether the message is tried again after it. */
export function failureMeaning(code: string): string {
  if (!isFailureCode(code)) return humanize(code);
  const { title, again } = messageFailures[code];
  return again === "never"
    ? `${title}.`
    : `${title}. Tried again: ${retryDescriptions[again].toLowerCase()}.`;
}
