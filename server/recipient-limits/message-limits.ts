import { Batcher } from "../kernel/batcher.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { selectCapTimes, selectContactZones } from "./queries.ts";
import type { AskedZone } from "./queries.ts";
import { quietTime } from "./quiet-hours.ts";
import type { Cap } from "./schemas.ts";
import { storedLimits } from "./stored-limits.ts";
import { tellUnreadable } from "./tell-unreadable.ts";
import type { StoredLimits } from "./stored-limits.ts";
import { zoneOffset } from "./zone-offset.ts";
import { zonesOf } from "./zones.ts";

/** A message, as limits look at it. */
export interface LimitedMessage {
  tenantId: string;
  sandbox: boolean;
  class: string;
  channel: Channel;
  region: string;
  recipient: string;
}

/** Why a message waits, and until when (ms since the epoch). */
export interface Wait {
  code: "quiet_hours" | "frequency_cap";
  until: number;
  detail: string;
  /** There is no time at which it may be sent. */
  never: boolean;
}

/** What the statement that claims a message counts, see frequency_cap_until(). */
export interface FrequencyCap {
  /** Whether no recipient gets it; such messages count apart. */
  sandbox: boolean;
  recipient: string;
  class: string;
  channel: Channel;
  limits: readonly Cap[];
}

/** The limits of one message. */
export interface MessageLimits {
  /** Why it has to wait at an instant; null: it need not. */
  quietAt(at: number): Wait | null;
  /** Null: its recipient gets as many as there are. */
  cap: FrequencyCap | null;
}

/** What cannot be read is looked at again after this long, ms. */
const recheckAfter = 5 * 60_000;

/** Looks up the limits of messages of all organisations; zones of concurrent ones share a round trip. */
export class RecipientLimits {
  private readonly db: Db;
  private readonly zones: Batcher<AskedZone, string | null>;

  constructor(db: Db, batching: { delayMs: number; maxItems: number }) {
    this.db = db;
    this.zones = new Batcher((asked) => selectContactZones(db, asked), { ...batching, maxParallel: 2 });
  }

  /** Null: nothing limits it. */
  async of(message: LimitedMessage): Promise<MessageLimits | null> {
    if (message.class === "authentication") return null;
    const limits = await storedLimits({ db: this.db, tenantId: message.tenantId });
    if (limits.problem) await tellUnreadable(this.db, message.tenantId);
    return limitsOf(limits, message, () =>
      this.zones.add({ tenantId: message.tenantId, channel: message.channel, address: message.recipient }),
    );
  }
}

/** The limits of a message among those of its organisation. `contactZone` is asked only if it matters. */
export async function limitsOf(
  limits: StoredLimits,
  message: LimitedMessage,
  contactZone: () => Promise<string | null>,
): Promise<MessageLimits | null> {
  if (limits.problem) return message.class === "marketing" ? { quietAt: unreadable, cap: null } : null;
  const windows = limits.windowsOf(message);
  const caps = limits.capsOf(message);
  if (windows.length === 0 && caps.length === 0) return null;
  const zones = windows.length === 0 ? [] : zonesOf(message, await contactZone());
  const { sandbox, recipient, class: of, channel } = message;
  return {
    quietAt(at) {
      const quiet = quietTime(windows, zones, at);
      if (!quiet) return null;
      const { until, zone, always: never } = quiet;
      const what = `Quiet hours for ${classNames[of] ?? of} by ${channelNames[channel]}`;
      const detail = never
        ? `${what}: there is no time at which they leave room in ${zones.join(", ")}.`
        : `${what} in ${zone} until ${wallTime(zone, until)}.`;
      return { code: "quiet_hours", until, detail, never };
    },
    cap: caps.length === 0 ? null : { sandbox, recipient, class: of, channel, limits: caps },
  };
}

/** How a message stands that its cap has kept from being claimed. */
export type CapStanding =
  /** There is room by now. */
  { do: "send" } | ({ do: "wait" } & Wait) | { do: "reject"; detail: string };

/** What is to become of a message by its cap: rejected if one of those in the way says so, else sent when the last has room. */
export async function capStanding(
  ctx: Pick<Ctx, "db" | "tenantId">,
  cap: FrequencyCap,
  notificationId: string,
): Promise<CapStanding> {
  const times = await selectCapTimes(ctx, cap, notificationId);
  let last: { until: Date; limit: Cap } | null = null;
  for (const [index, limit] of cap.limits.entries()) {
    const until = times[index];
    if (!until) continue;
    if (limit.over === "reject")
      return { do: "reject", detail: `${capText(limit)}: the recipient has had that.` };
    if (!last || until > last.until) last = { until, limit };
  }
  if (!last) return { do: "send" };
  const { until, limit } = last;
  return {
    do: "wait",
    code: "frequency_cap",
    until: until.getTime(),
    detail: `${capText(limit)}: the recipient has had that, until ${until.toISOString().slice(0, 16).replace("T", " ")} UTC.`,
    never: false,
  };
}

function capText({ class: of, channel, most, hours }: Cap): string {
  const messages = `${String(most)} ${of} ${most === 1 ? "message" : "messages"}`;
  const where = channel === null ? "" : ` by ${channelNames[channel]}`;
  const time = hours % 24 === 0 ? ([hours / 24, "day"] as const) : ([hours, "hour"] as const);
  return `At most ${messages}${where} in ${time[0] === 1 ? `one ${time[1]}` : `${String(time[0])} ${time[1]}s`}`;
}

const unreadable = (at: number): Wait => ({
  code: "quiet_hours",
  until: at + recheckAfter,
  detail: "The stored quiet hours and caps cannot be read. Marketing waits until they are saved again.",
  never: false,
});

const classNames: Record<string, string> = {
  transactional: "transactional messages",
  service: "service messages",
  marketing: "marketing",
};
const channelNames: Record<Channel, string> = { sms: "SMS", email: "e-mail", whatsapp: "WhatsApp" };

const shortWeekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** "Tue 08:00", by a zone's clocks. */
function wallTime(zone: string, at: number): string {
  const wall = new Date(at + zoneOffset(zone, at));
  return `${shortWeekday[wall.getUTCDay()] ?? ""} ${wall.toISOString().slice(11, 16)}`;
}
