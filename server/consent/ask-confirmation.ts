import { addressTokens } from "../audit/address-token.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addressHint, maskAddress, normalizeAddress, readAddress, shownAddress } from "../kernel/address.ts";
import { channels } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { enqueue } from "../kernel/tasks.ts";
import { may } from "../operations/authorize.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { unknownApplication } from "../tenancy/unknown-names.ts";
import { addressToken, consentKey } from "./address-token.ts";
import {
  findConfirmation,
  insertAsk,
  lockAsking,
  prolong,
  selectAsked,
  selectAsking,
  selectOpenWindow,
} from "./confirmation-queries.ts";
import type { Ask, ConfirmationRow } from "./confirmation-queries.ts";
import { ledgerOf } from "./ledger-place.ts";
import { confirmableClasses } from "./vocabulary.ts";
import type { Confirmation, ConfirmationAsk } from "./schemas.ts";
import { standingOf } from "./standing.ts";
import { postConfirmation } from "./tasks.ts";

const hour = 3_600_000;
/**
 * How much is asked. Whoever types somebody else's address into a form a hundred times fills no mailbox with it, and an
 * organisation whose form is flooded does not write to the numbers of others without end.
 */
export const askBounds = {
  againAfter: hour,
  /** Of one confirmation, without a message: each is a row that the next has to read. */
  repeated: 50,
  perAddressAndDay: 3,
  tenantPerHour: 5_000,
} as const;
/** WhatsApp takes free texts for so long after the recipient's last message. */
const whatsappWindow = 24 * hour;

/** Of one address, over all channels. */
export const mostOpen = channels.length * confirmableClasses.length;

/**
 * Asks an address whether it agrees: double opt-in. The message is exempt from the missing opt-in, and from an opt-out of before, as
 * the recipient has signed up since. What is asked again under the same id, or within an hour, is not asked twice. Throws
 * `agent_limit` for agents, `conflict` where no message can go, and `rate_limited` beyond the bounds.
 */
export async function askConfirmation(ctx: Ctx, input: ConfirmationAsk): Promise<Confirmation> {
  const { environmentId, channel, expiresInHours } = input;
  const { sandbox, catalogue } = await ledgerOf(ctx, "consent:write", environmentId);
  if (ctx.actor.type === "apiKey" && ctx.actor.agent) {
    throw new DomainError("agent_limit", "Agents can only record opt-outs.");
  }
  const application = applicationOf(ctx, catalogue, input);
  const address = normalizeAddress(channel, readAddress(input.address) ?? input.address);
  if (address === null) {
    throw new DomainError("invalid_request", "Not a valid address on that channel.", {
      errors: [{ pointer: "/address", code: "invalid_recipient", detail: addressHint(channel) }],
    });
  }
  const key = await consentKey(ctx);
  const [standing] = await standingOf(ctx, [
    {
      sandbox,
      channel,
      addresses: [address, key ? addressToken(key, channel, address) : address],
      region: input.region ?? null,
      class: input.class,
    },
  ]);
  const now = ctx.now();
  const id = newId();
  const ask: Ask = {
    id,
    sandbox,
    channel,
    address,
    region: input.region ?? null,
    class: input.class,
    language: input.language ?? null,
    applicationId: application.id,
    environmentId,
    itemId: input.id,
    evidence: {
      ...input.evidence,
      ...(ctx.actor.type === "user" ? { recordedBy: ctx.actor.name } : {}),
    },
    connectionId: null,
    ownAddress: null,
  };
  const expiresAt = new Date(now.getTime() + expiresInHours * hour);
  const window =
    channel === "whatsapp"
      ? await selectOpenWindow(ctx, {
          sandbox,
          address,
          applicationId: application.id,
          since: new Date(now.getTime() - whatsappWindow),
        })
      : null;
  const tokenOf = await addressTokens(ctx);
  const found = await inTenant(ctx, async (tx) => {
    await lockAsking(tx, ctx.tenantId, ask);
    const known = await selectAsked(tx, ctx.tenantId, ask, now);
    if (known) {
      if (!isSame(known.asked, ask)) throw mismatch();
      return known.confirmation;
    }
    if (standing?.suppressed) {
      throw cannotAsk("suppressed", "The address is suppressed: nothing is sent to it.");
    }
    const bounds = { now, tenantPerHour: askBounds.tenantPerHour };
    const { open, sentToAddress, sentByTenant } = await selectAsking(tx, ctx.tenantId, ask, bounds);
    if (open && open.region !== ask.region) {
      throw new DomainError(
        "conflict",
        "The address has an open confirmation of this class for another region. Wait until it is confirmed or has expired.",
      );
    }
    const openId = open?.id ?? id;
    const again = open && now.getTime() - open.lastAsked.getTime() < askBounds.againAfter;
    const written = { openId, sent: !again, createdAt: now, expiresAt };
    if (again) {
      if (open.repeated >= askBounds.repeated) {
        throw new DomainError("rate_limited", "This address was already asked too often.", {
          retryAfter: hour / 1_000,
        });
      }
      if (!(await insertAsk(tx, ctx.tenantId, ask, written))) throw mismatch();
      return open;
    }
    if (channel === "whatsapp" && !window) {
      throw cannotAsk(
        "window_closed",
        "WhatsApp takes this message only within 24 hours of the recipient's last message to this application. Ask by e-mail or SMS, or with a template that WhatsApp has approved.",
      );
    }
    if (sentToAddress >= askBounds.perAddressAndDay) {
      throw new DomainError("rate_limited", "This address was asked three times in a day.", {
        retryAfter: hour / 1_000,
      });
    }
    if (sentByTenant >= askBounds.tenantPerHour) {
      throw new DomainError("rate_limited", "The organisation has asked 5,000 addresses in an hour.", {
        retryAfter: 600,
      });
    }
    if (!(await insertAsk(tx, ctx.tenantId, { ...ask, ...window }, written))) throw mismatch();
    if (open) await prolong(tx, ctx.tenantId, open.id, expiresAt);
    await enqueue(tx, postConfirmation, { tenantId: ctx.tenantId, messageId: id });
    await recordAudit(ctx, tx, {
      action: "consent_confirmation.asked",
      targetType: "consent_confirmation",
      targetId: openId,
      unitId: application.unitId,
      environmentId,
      after: { channel, class: ask.class, region: ask.region, expiresAt: expiresAt.toISOString() },
      data: { address: tokenOf(address), application: application.name },
    });
    if (open) return { ...open, expiresAt: expiresAt > open.expiresAt ? expiresAt : open.expiresAt };
    return { ...ask, createdAt: now, expiresAt, confirmedAt: null, state: "pending" as const };
  });
  // Who asks knows the address.
  return presentConfirmation(found, true);
}

/** A confirmation of the environment's ledger and what has become of it, for those who may read consent where it was asked. */
export async function getConfirmation(
  ctx: Ctx,
  input: { environmentId: string; id: string },
): Promise<Confirmation> {
  const { sandbox, catalogue } = await ledgerOf(ctx, "consent:read", input.environmentId);
  const found = await findConfirmation(ctx, input.id, ctx.now());
  if (found?.sandbox !== sandbox) throw notFound();
  const { applicationId, environmentId } = found;
  const unitId = catalogue.applications.find(({ id }) => id === applicationId)?.unitId ?? null;
  const place = { unitId, applicationId, environmentId };
  if (!may(ctx, "consent:read", place)) throw notFound();
  return presentConfirmation(found, may(ctx, "content:reveal", place));
}

/** For somebody who may see addresses, or may not. */
export function presentConfirmation(row: ConfirmationRow, reveal: boolean): Confirmation {
  const { id, state, channel, address, region, createdAt, expiresAt, confirmedAt } = row;
  return {
    id,
    state,
    channel,
    address: reveal ? shownAddress(address) : maskAddress(address),
    class: row.class,
    region,
    askedAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    confirmedAt: confirmedAt?.toISOString() ?? null,
  };
}

/** Who asks. An address belongs to no team, but the message is an application's: of a team in which the caller records consent. */
function applicationOf(
  ctx: Ctx,
  { applications }: Catalogue,
  { application: name, environmentId }: Pick<ConfirmationAsk, "application" | "environmentId">,
): Catalogue["applications"][number] {
  const application = applications.find((each) => each.name === name);
  if (!application || application.archived) throw unknownApplication();
  const { unitId, id: applicationId } = application;
  if (!may(ctx, "consent:write", { unitId, applicationId, environmentId })) throw unknownApplication();
  return application;
}

const isSame = (one: Ask, other: Ask) =>
  one.channel === other.channel &&
  one.address === other.address &&
  one.class === other.class &&
  one.region === other.region &&
  one.applicationId === other.applicationId;

const mismatch = () =>
  new DomainError("idempotency_mismatch", "This ID was already used for something else. Use a new ID.");

const cannotAsk = (code: string, detail: string) =>
  new DomainError("conflict", detail, { errors: [{ pointer: "/address", code, detail }] });
