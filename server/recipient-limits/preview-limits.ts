import { authorizeSettings } from "../access/authorize-settings.ts";
import { normalizeAddress } from "../kernel/address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { may } from "../operations/authorize.ts";
import { selectOwnZones } from "./queries.ts";
import { quietTime, windowsFor } from "./quiet-hours.ts";
import type { LimitsPreview, LimitsPreviewed } from "./schemas.ts";
import { zonesOf } from "./zones.ts";

/** What quiet hours, saved or not, would do to a message to somebody now. Sends nothing. */
export async function previewLimits(ctx: Ctx, input: LimitsPreview): Promise<LimitsPreviewed> {
  await authorizeSettings(ctx, "to read");
  const { channel, region } = input;
  const typed = channel === "email" ? input.recipient : input.recipient.replaceAll(/[\s()-]/g, "");
  const recipient = normalizeAddress(channel, typed);
  if (recipient === null) {
    throw new DomainError("invalid_request", "Nothing can be sent to this address.", {
      errors: [{ pointer: "/recipient", code: "invalid", detail: "Not an address for this channel" }],
    });
  }
  // A zone of their own would tell whether there is a contact with this address.
  const known = may(ctx, "content:reveal", {});
  const [contactZone = null] = known ? await selectOwnZones(ctx, [{ channel, address: recipient }]) : [];
  const zones = zonesOf({ channel, recipient, region }, contactZone);
  const quiet = quietTime(windowsFor(input.quietHours, input), zones, ctx.now().getTime());
  return {
    zones: [...zones],
    zonesFrom:
      zones.length === 1 && zones[0] === contactZone ? "contact" : channel === "email" ? "region" : "number",
    until: quiet && new Date(quiet.until).toISOString(),
    zone: quiet?.zone ?? null,
    always: quiet?.always ?? false,
  };
}
