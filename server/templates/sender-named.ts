/** Pure: the sender of a template's messages. */
import type { EmailMetadata, SmsMetadata } from "../template-language/metadata.ts";
import type { VersionContent } from "../template-language/render.ts";

/** Number, name or e-mail address; undefined: the connection's own sender. */
export function senderNamed({
  channel,
  metadata,
}: Pick<VersionContent, "channel" | "metadata">): string | undefined {
  if (channel === "sms") return (metadata as SmsMetadata).senderId;
  return channel === "email" ? (metadata as EmailMetadata).from : undefined;
}
