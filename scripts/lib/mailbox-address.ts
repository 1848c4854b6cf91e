import type { Secrets } from "./secrets.ts";

/** The HTTP address of the quickstart's mailbox; the token in it is the permission. */
export function mailboxUrl(mailbox: Secrets["mailbox"]): string {
  return `http://127.0.0.1:${mailbox.httpPort}/${mailbox.token}/messages`;
}
