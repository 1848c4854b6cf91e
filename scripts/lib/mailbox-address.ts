import type { Secrets } from "./secrets.ts";

/** Where the quickstart's mailbox answers over HTTP; the token in it is the permission. */
export function mailboxUrl(mailbox: Secrets["mailbox"]): string {
  return `http://127.0.0.1:${mailbox.httpPort}/${mailbox.token}/messages`;
}
