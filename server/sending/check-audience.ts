import { groupPage, readRecipients } from "../contacts/read-groups.ts";
import type { ContactRecipient } from "../contacts/read-groups.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { countRefusalsFor } from "./broadcast-queries.ts";
import type { ChannelForecast } from "./broadcast-queries.ts";
import { planRecipients, refusableAddresses } from "./plan-recipients.ts";
import type { Addressed, Campaign } from "./plan-recipients.ts";
import { planRequest } from "./plan-request.ts";
import type { AudienceCheck } from "./schemas.ts";

/** Somebody waits for the answer: so many contacts are looked at, and no further page is begun after so long. */
export const audienceLimits = { contacts: 10_000, page: 2_000, ms: 1_000 };

/** What would become of the recipients on one channel. */
interface AudienceChannel extends ChannelForecast {
  channel: Channel;
  /** Of the recipients, those for whom no template is live in their language and region. */
  noTemplate: number;
}

interface Audience {
  channels: AudienceChannel[];
  /** Contacts that were looked at. */
  contacts: number;
  /** False: the groups have more contacts, so every figure is a minimum. */
  complete: boolean;
}

type Page = { wanted: { contactId: string; channel: Channel }[]; next: string | null; looked: number };

/**
 * Counts who would get a broadcast and who would be skipped, by the rules by which a draft's recipients are listed. Nothing is
 * stored. Looks at 10,000 contacts at most, for about a second. Throws what sending to these groups would throw:
 * `unknown_contact_group`, `unknown_application`, `unknown_notification_type`, `permission_denied`.
 */
export async function checkAudience(
  ctx: Ctx,
  input: AudienceCheck,
  limits = audienceLimits,
): Promise<Audience> {
  const { environmentId, application, notificationType, notificationSubtype, contactGroups } = input;
  const plan = await planRequest(
    ctx,
    {
      ...{ environmentId, application, contactGroups },
      ...{ region: input.region, language: input.language },
      notification: { type: notificationType, subtype: notificationSubtype },
      recipients: [],
      templateVariables: [],
    },
    "keep",
  );
  const campaign: Campaign = {
    id: newId(),
    environmentId,
    applicationId: plan.application.id,
    unitId: plan.application.unitId,
    sandbox: plan.environment.kind === "sandbox",
    class: plan.class,
    region: plan.region,
    language: plan.language,
    ...{ notificationType, notificationSubtype },
    ...{ firstPosition: 0, total: 0, variables: {}, endsAt: null },
  };
  const byChannel = new Map<Channel, AudienceChannel>();
  for (const channel of plan.groups.flatMap(({ channels }) => channels))
    byChannel.set(channel, nobody(channel));
  const seen = new Set<string>();
  const begin = performance.now();
  let contacts = 0;
  for (const group of plan.groups) {
    let after: string | null = null;
    do {
      const room = limits.contacts - contacts;
      if (room <= 0 || performance.now() - begin > limits.ms) {
        return { channels: [...byChannel.values()], contacts, complete: false };
      }
      const page: Page = await readPage(ctx, group, after, Math.min(room, limits.page));
      contacts += page.looked;
      after = page.next;
      const fresh = page.wanted.filter(({ contactId, channel }) => {
        const key = `${contactId} ${channel}`;
        return !seen.has(key) && seen.add(key);
      });
      await count(ctx, campaign, fresh, byChannel);
    } while (after !== null);
  }
  return { channels: [...byChannel.values()], contacts, complete: true };
}

const nobody = (channel: Channel): AudienceChannel => ({
  channel,
  ...{ recipients: 0, consentDenied: 0, suppressed: 0, noAddress: 0, noTemplate: 0 },
});

async function readPage(
  ctx: Ctx,
  group: { id: string; channels: readonly Channel[] },
  after: string | null,
  limit: number,
): Promise<Page> {
  const { contactIds, next } = await inTenant(ctx, (tx) =>
    groupPage(tx, { tenantId: ctx.tenantId, groupId: group.id, after, limit }),
  );
  return {
    wanted: contactIds.flatMap((contactId) => group.channels.map((channel) => ({ contactId, channel }))),
    next,
    // Of a filter's page, all were looked at, whoever matched.
    looked: next === null ? contactIds.length : limit,
  };
}

const valueProblems: ReadonlySet<string | null> = new Set(["missing_variable", "invalid_variable"]);

/** Adds recipients to the figures of their channels. */
async function count(
  ctx: Ctx,
  campaign: Campaign,
  wanted: Page["wanted"],
  byChannel: ReadonlyMap<string, AudienceChannel>,
): Promise<void> {
  if (wanted.length === 0) return;
  const ids = [...new Set(wanted.map(({ contactId }) => contactId))];
  const known = new Map<string, ContactRecipient>(
    (await inTenant(ctx, (tx) => readRecipients(tx, ctx.tenantId, ids))).map((each) => [
      each.contactId,
      each,
    ]),
  );
  const addressed: Addressed[] = [];
  for (const { contactId, channel } of wanted) {
    const contact = known.get(contactId);
    const address = contact?.addresses.find((each) => each.channel === channel)?.address;
    const figures = byChannel.get(channel);
    if (contact && address !== undefined)
      addressed.push({ position: addressed.length, channel, address, contact });
    else if (figures) figures.noAddress += 1;
  }
  const requests = await planRecipients(ctx, await getCatalogue(ctx), campaign, addressed);
  const withText = requests.map((request) => ({
    ...request,
    messages: request.messages.flatMap((message) => {
      const figures = byChannel.get(message.channel);
      if (message.reasonCode !== "unknown_template" || !figures) {
        // Values are given later: nobody is missing one yet.
        return [valueProblems.has(message.reasonCode) ? { ...message, reasonCode: null } : message];
      }
      figures.recipients += 1;
      figures.noTemplate += 1;
      return [];
    }),
  }));
  const refused = await countRefusalsFor(ctx, campaign, refusableAddresses(withText, campaign));
  for (const { channel, code, count: found } of refused) {
    const figures = byChannel.get(channel);
    if (!figures) continue;
    figures.recipients += found;
    if (code === "consent_denied") figures.consentDenied += found;
    else if (code === "suppressed") figures.suppressed += found;
  }
}
