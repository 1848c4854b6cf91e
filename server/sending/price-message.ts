import type { ProviderConnection } from "../connections/load-connection.ts";
import type { WhatsappCategory } from "../connections/schemas.ts";
import { asksForWindow, estimateCost, isCounted, priceRow } from "../costs/estimate-cost.ts";
import type { PricedEstimate, PricedMessage } from "../costs/estimate-cost.ts";
import { unitsBefore } from "../costs/month-units.ts";
import { isWindowOpen } from "../inbound/service-window.ts";
import { phoneCountry } from "../kernel/address.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";

type Carrier = Pick<ProviderConnection, "id" | "adapter" | "priceList">;

/** What is asked of a message's price. */
export interface Priceable {
  channel: Channel;
  recipient: string;
  sandbox: boolean;
  category: WhatsappCategory | undefined;
  /** SMS: how many are billed; null on channels that bill messages. */
  segments: number | null;
  at: Date;
  /** What the provider has said already. */
  decided?: PricedMessage["decided"];
}

/** A message as the price lists of a connection see it. */
export function pricedMessage(carrier: Carrier, message: Omit<Priceable, "sandbox">): PricedMessage {
  const { channel, recipient, category, segments, at, decided } = message;
  const country = channel === "email" ? null : phoneCountry(recipient);
  return { channel, country, category, segments, at, decided, meta: billedByMeta(carrier) };
}

/** Whether Meta's own rules hold for what the connection sends on WhatsApp: others charge by their own lists. */
export function billedByMeta({ adapter }: Pick<Carrier, "adapter">): boolean {
  return adapter.price === "rate_card";
}

/**
 * What a message through this connection will cost; undefined when its list has no price for it. Asks the database whether the
 * recipient's service window is open only where that decides, and for the counts of the month only where the row has tiers or
 * free units: then the first time and every twenty seconds.
 */
export async function priceMessage(
  ctx: Pick<Ctx, "db" | "tenantId">,
  carrier: Carrier,
  message: Priceable,
): Promise<PricedEstimate | undefined> {
  if (carrier.priceList.length === 0) return undefined;
  const priced = pricedMessage(carrier, message);
  const row = priceRow(carrier.priceList, priced);
  if (!row) return undefined;
  const asks = priced.meta === true && message.channel === "whatsapp" && message.decided === undefined;
  if (asks && asksForWindow(priced)) {
    const { sandbox, recipient: address, at } = message;
    priced.windowOpen = await isWindowOpen(ctx, { sandbox, address, connectionId: carrier.id, at });
  }
  const before = isCounted(row, priced) ? await unitsBefore(ctx, carrier.id, message.at) : undefined;
  return estimateCost(carrier.priceList, priced, before);
}
