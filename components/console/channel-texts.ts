import type { Channel } from "../../server/kernel/channel.ts";

/** What operators type about a channel, line by line, as `npm run channels` takes it. */

/** `+4930123456`; where a channel carries several, `sms:+4930123456`; for one region, `sms/DE:+4930123456`. */
export function readSenders(
  text: string,
  channels: readonly string[],
): { channel: Channel; region?: string; sender: string }[] {
  return linesOf(text).map((line) => {
    const [, channel, region, sender] = /^(sms|email|whatsapp)(?:\/([A-Z]{2}))?:(.+)$/.exec(line) ?? [];
    return {
      // None where it is not said: the schema complains.
      channel: (channel ?? (channels.length === 1 ? channels[0] : "")) as Channel,
      ...(region === undefined ? {} : { region }),
      sender: sender?.trim() ?? line,
    };
  });
}

/** The same senders as lines. */
export function writeSenders(
  senders: readonly { channel: string; region?: string; sender: string }[],
  channels: readonly string[],
): string {
  return senders
    .map(({ channel, region, sender }) =>
      channels.length === 1 && region === undefined
        ? sender
        : `${channel}${region === undefined ? "" : `/${region}`}:${sender}`,
    )
    .join("\n");
}

/** `name=text`, one a line. */
export function readSettings(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf("=");
      return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
