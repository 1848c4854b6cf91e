import { plural } from "../ui/format.ts";

export type SentMessage = {
  notificationId: string;
  recipient: string;
  status: string;
  reason: { code: string; detail: string } | null;
};

/** How the service took a request: what was rejected is neither stored to be sent nor retried. */
export function sentWords(messages: readonly Pick<SentMessage, "status">[]) {
  const rejected = messages.filter(({ status }) => status === "rejected").length;
  const accepted = messages.length - rejected;
  const refusals = `${plural(rejected, "recipient")} rejected`;
  const title =
    accepted === 0
      ? `Nothing sent: ${refusals}`
      : [`${plural(accepted, "message")} accepted`, ...(rejected > 0 ? [refusals] : [])].join(", ");
  return { accepted, rejected, title };
}

/** A request is sent once, however often it is pressed; what has been changed since is another one. */
export const earlierArrived = "An earlier attempt was accepted, although its answer didn't arrive.";
