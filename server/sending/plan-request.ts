import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { anyMaySendAs, notAllowed } from "../connections/sender-ownership.ts";
import { consentClass, consentPolicy, testPolicy } from "../consent/consent-policy.ts";
import type { ConsentPolicy } from "../consent/consent-policy.ts";
import { readGroups } from "../contacts/read-groups.ts";
import type { Channel } from "../kernel/channel.ts";
import type { AgentLimits, Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { authorize } from "../operations/authorize.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { checkVariables, summarizeProblems } from "../template-language/variables.ts";
import { passesConsent } from "../templates/built-in-templates.ts";
import { chooseTemplate, liveTemplates, liveTemplatesByName } from "../templates/resolve-template.ts";
import type { LiveTemplate, TemplateChoice } from "../templates/resolve-template.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import { requireNotificationType, unknownApplication } from "../tenancy/unknown-names.ts";
import { addressHint, locateAddress, needsUtf8 } from "../kernel/address.ts";
import {
  agentOf,
  holdOf,
  notAllowedRecipient,
  refuseLaterStage,
  refuseStrangersOnly,
} from "./agent-rules.ts";
import type { Hold } from "./agent-rules.ts";
import { classPolicies } from "./message-class.ts";
import type { MessageReason } from "./notification-change.ts";
import { routeMessage } from "./route-message.ts";
import { sendLimits } from "./schemas.ts";

/** A request for messages in one form, whichever API it came through. */
export interface SendOrder {
  environmentId: string;
  application: string;
  /** A type and subtype, or a template that implies them. */
  notification:
    | { type: string; subtype: string }
    | { template: string; channel: Channel }
    /**
     * A certain version, live or not, that somebody sends to themselves; or, with a class, a message of the service itself,
     * whose type is in no catalogue.
     */
    | { pinned: LiveTemplate; class?: NotificationClass };
  region?: string | undefined;
  language?: string | undefined;
  recipients: { channel: Channel; recipient: string; variables?: Record<string, string> | undefined }[];
  contactGroups?: { group: string; channels: Channel[] }[] | undefined;
  /** How the groups are sent to; without it at once. */
  broadcast?:
    | {
        name: string;
        draft: boolean;
        /** To those whom an earlier one to these groups did not reach, in place of groups. */
        notReachedOf?: { id: string; groups: PlannedGroup[] };
      }
    | undefined;
  templateVariables: Record<string, string>[];
  scheduledAt?: string | undefined;
  expiresAt?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

export interface PlannedMessage {
  position: number;
  channel: Channel;
  recipient: string;
  /** ISO 3166-1 country of a number; null for an e-mail address and where it is not known. */
  country: string | null;
  variables: Record<string, string> | null;
  template: LiveTemplate | null;
  policy: ConsentPolicy;
  /** Of which class consent is asked. */
  consentClass: NotificationClass;
  reason: MessageReason | null;
}

export interface PlannedGroup {
  id: string;
  name: string;
  channels: Channel[];
  contacts: number | null;
}

/** A request that was checked and is ready to be accepted or explained. */
export interface PlannedRequest {
  environment: Catalogue["environments"][number];
  application: Catalogue["applications"][number];
  region: string;
  language: string;
  type: string;
  subtype: string;
  class: NotificationClass;
  variables: Record<string, string>;
  metadata: Record<string, string>;
  scheduledAt: Date | null;
  expiresAt: Date;
  /** When the order itself says that its time is over; null: each message lives as long as its class says. */
  endsAt: Date | null;
  /** A person has to approve it: an agent's request in production. */
  hold: Hold | null;
  messages: PlannedMessage[];
  /** Groups that it goes to besides. */
  groups: PlannedGroup[];
  /** How the template of each channel was found. */
  choices: Map<Channel, TemplateChoice>;
}

/** Why no message of a channel can be sent, and the refusal of a request that has no other. */
interface ClosedChannel {
  reason: MessageReason;
  refusal: DomainError;
}

/**
 * Checks an order against the tenant's catalogue and templates. Throws DomainError for what is wrong with the request as
 * a whole; what is wrong with one recipient or one channel becomes the `reason` of its messages, unless no message remains.
 * @param nothingLeft `keep`: also a request of which no message remains is planned
 */
export async function planRequest(
  ctx: Ctx,
  order: SendOrder,
  nothingLeft: "refuse" | "keep" = "refuse",
): Promise<PlannedRequest> {
  const catalogue = await getCatalogue(ctx);
  const environment = catalogue.environments.find((entry) => entry.id === order.environmentId);
  const application = findApplication(ctx, catalogue, order);
  if (!environment) throw new DomainError("environment_mismatch", "The environment does not exist any more.");
  const agent = agentOf(ctx);
  if (agent) refuseLaterStage(agent, environment, application);
  const groups =
    order.broadcast?.notReachedOf?.groups ?? (await planGroups(ctx, order.contactGroups ?? [], agent));
  if (order.recipients.length === 0 && groups.length === 0) {
    throw new DomainError("invalid_request", "Name at least one recipient or contact group.", {
      errors: [
        { pointer: "/recipients", code: "too_small", detail: "At least one recipient or contact group" },
      ],
    });
  }
  const region = order.region ?? application.defaultRegion;
  const language = order.language ?? application.defaultLanguage;
  const { type, subtype, candidates } = await findCandidates(
    ctx,
    catalogue,
    environment.id,
    application,
    order,
  );
  const ownClass = "pinned" in order.notification ? order.notification.class : undefined;
  const messageClass = ownClass ?? requireNotificationType(catalogue, type, subtype).class;
  const { timeToLive } = classPolicies[messageClass];
  const times = planTimes(ctx.now(), order, timeToLive);
  const variables = mergeVariables(order.templateVariables);

  const [rules, connections] = await Promise.all([
    environmentRules(ctx, environment.id),
    tenantConnections(ctx),
  ]);
  const channels = new Set([
    ...order.recipients.map((recipient) => recipient.channel),
    ...groups.flatMap((group) => group.channels),
  ]);
  const choices = new Map<Channel, TemplateChoice>();
  const closed = new Map<Channel, ClosedChannel>();
  // Who sends a version to themselves finds out.
  let utf8Mail = true;
  for (const channel of channels) {
    if ("pinned" in order.notification) {
      choices.set(channel, { chosen: order.notification.pinned, others: [] });
      continue;
    }
    // A template may be for one provider only: the one that would carry the message now.
    const route = routeMessage(rules, connections, {
      facts: {
        region,
        applicationId: application.id,
        unitId: application.unitId,
        channel,
        notificationType: type,
        notificationSubtype: subtype,
      },
      sandbox: environment.kind === "sandbox",
      spread: 0,
      tenant: catalogue.tenant,
    });
    const first = route.candidates[0];
    if (channel === "email")
      utf8Mail = route.candidates.some((each) => takesUtf8(connections.get(each.connectionId)));
    const choice = chooseTemplate(candidates, {
      channel,
      region,
      language,
      defaultLanguage: application.defaultLanguage,
      provider: first ? connections.get(first.connectionId)?.adapter.name : undefined,
    });
    choices.set(channel, choice);
    if (!choice.chosen)
      closed.set(channel, unknownTemplate(order.notification, channel, environment.name, choice));
  }
  if (environment.kind !== "sandbox") closeForeignSenders(closed, choices, connections, application.unitId);

  const consentOf = (channel: Channel) => {
    const asked = consentClass(messageClass, choices.get(channel)?.chosen?.category);
    const policy = consentPolicy(catalogue.tenant.settings, { class: asked, channel, region });
    const pinned = "pinned" in order.notification ? order.notification.pinned : undefined;
    if (pinned && passesConsent(pinned.id)) return { policy: "exempt" as const, consentClass: asked };
    return { policy: pinned && !ownClass ? testPolicy(policy) : policy, consentClass: asked };
  };
  const taken = new Set<string>();
  const messages = order.recipients.map((recipient, position) =>
    planMessage(recipient, position, {
      ...{ choices, closed, variables, agent, taken, utf8Mail },
      consent: consentOf(recipient.channel),
    }),
  );
  if (agent) refuseStrangersOnly(messages);
  if (nothingLeft === "refuse") refuseIfNothingRemains(order, messages, { groups, closed, variables });
  return {
    environment,
    application,
    region,
    language,
    type,
    subtype,
    class: messageClass,
    variables,
    metadata: order.metadata ?? {},
    ...times,
    endsAt: order.expiresAt === undefined ? null : times.expiresAt,
    hold: agent ? holdOf(ctx.now(), environment, order, { ...times, timeToLive }) : null,
    messages,
    groups,
    choices,
  };
}

/** The groups that an order names, each once with all its channels. Throws `unknown_contact_group`. */
async function planGroups(
  ctx: Ctx,
  asked: NonNullable<SendOrder["contactGroups"]>,
  agent: AgentLimits | undefined,
): Promise<PlannedGroup[]> {
  if (asked.length === 0) return [];
  if (agent) {
    throw new DomainError(
      "permission_denied",
      "An agent writes to single addresses, not to contact groups: a person sends to those.",
    );
  }
  const known = new Map(
    (await readGroups(ctx, [...new Set(asked.map(({ group }) => group))])).map((each) => [each.name, each]),
  );
  const unknown = asked.flatMap(({ group }, index) =>
    known.has(group)
      ? []
      : [
          {
            pointer: `/contactGroups/${String(index)}/group`,
            code: "unknown_contact_group",
            detail: `There is no contact group "${group}".`,
          },
        ],
  );
  if (unknown.length > 0) {
    throw new DomainError(
      "unknown_contact_group",
      "None of the organisation's contact groups has this name.",
      {
        errors: unknown,
      },
    );
  }
  return [...Map.groupBy(asked, ({ group }) => group)].flatMap(([name, entries]) => {
    const group = known.get(name);
    const channels = [...new Set(entries.flatMap((entry) => entry.channels))];
    return group ? [{ id: group.id, name, channels, contacts: group.size }] : [];
  });
}

/** Closes channels whose template names a sender that no connection has for the unit. */
function closeForeignSenders(
  closed: Map<Channel, ClosedChannel>,
  choices: ReadonlyMap<Channel, TemplateChoice>,
  connections: ReadonlyMap<string, ProviderConnection>,
  unitId: string,
): void {
  for (const [channel, { chosen }] of choices) {
    if (!chosen?.sender || anyMaySendAs(connections.values(), { channel, unitId }, chosen.sender)) continue;
    const detail = notAllowed(chosen.sender);
    closed.set(channel, {
      reason: { code: "sender_not_allowed", detail },
      refusal: new DomainError("sender_not_allowed", detail, {
        errors: [
          {
            pointer: "/recipients",
            code: "sender_not_allowed",
            detail: `The template ${chosen.name} names the sender ${chosen.sender}`,
          },
        ],
      }),
    });
  }
}

/** Unknown applications, archived ones and those of others get the same answer. */
function findApplication(
  ctx: Ctx,
  catalogue: Catalogue,
  order: SendOrder,
): Catalogue["applications"][number] {
  const application = catalogue.applications.find((entry) => entry.name === order.application);
  try {
    authorize(ctx, "notifications:send", {
      unitId: application?.unitId ?? null,
      applicationId: application?.id ?? null,
      environmentId: order.environmentId,
    });
    if (application && !application.archived) return application;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
  }
  throw unknownApplication();
}

async function findCandidates(
  ctx: Ctx,
  catalogue: Catalogue,
  environmentId: string,
  application: Catalogue["applications"][number],
  order: SendOrder,
): Promise<{ type: string; subtype: string; candidates: LiveTemplate[] }> {
  if ("pinned" in order.notification) {
    const { notificationType, notificationSubtype } = order.notification.pinned;
    return { type: notificationType, subtype: notificationSubtype, candidates: [] };
  }
  if ("type" in order.notification) {
    const { type, subtype } = order.notification;
    requireNotificationType(catalogue, type, subtype);
    const candidates = await liveTemplates(ctx, {
      environmentId,
      applicationId: application.id,
      notificationType: type,
      notificationSubtype: subtype,
    });
    return { type, subtype, candidates };
  }
  const { template, channel } = order.notification;
  const candidates = (
    await liveTemplatesByName(ctx, { environmentId, applicationId: application.id, name: template })
  ).filter((candidate) => candidate.channel === channel);
  const first = candidates[0];
  if (!first) {
    throw new DomainError(
      "unknown_template",
      `No template "${template}" for ${channel} is live in this environment.`,
      {
        errors: [
          {
            pointer: "/template",
            code: "unknown_template",
            detail: "Name a template that is live for this channel",
          },
        ],
      },
    );
  }
  return { type: first.notificationType, subtype: first.notificationSubtype, candidates };
}

function unknownTemplate(
  wanted: Exclude<SendOrder["notification"], { pinned: unknown }>,
  channel: Channel,
  environment: string,
  choice: TemplateChoice,
): ClosedChannel {
  const what = "type" in wanted ? `${wanted.type} / ${wanted.subtype}` : `"${wanted.template}"`;
  const others = choice.others.slice(0, 5).map((other) => `${other.template.name}: ${other.why}`);
  const detail = `No ${channel} template for ${what} is live in ${environment} for this region and language.${others.length > 0 ? ` Not used: ${others.join("; ")}.` : ""}`;
  return {
    reason: { code: "unknown_template", detail },
    refusal: new DomainError("unknown_template", detail, {
      errors: [
        {
          pointer: "type" in wanted ? "/recipients" : "/template",
          code: "unknown_template",
          detail: `No template for the channel ${channel}`,
        },
      ],
    }),
  };
}

function planTimes(
  now: Date,
  order: SendOrder,
  timeToLive: number,
): { scheduledAt: Date | null; expiresAt: Date } {
  const scheduledAt = order.scheduledAt === undefined ? null : new Date(order.scheduledAt);
  const errors: FieldError[] = [];
  const latest = now.getTime() + sendLimits.scheduleAheadDays * 86_400_000;
  if (scheduledAt && scheduledAt.getTime() > latest) {
    errors.push({ pointer: "/scheduledAt", code: "too_late", detail: "At most 30 days ahead" });
  }
  const start = scheduledAt && scheduledAt > now ? scheduledAt : now;
  const expiresAt =
    order.expiresAt === undefined ? new Date(start.getTime() + timeToLive) : new Date(order.expiresAt);
  if (expiresAt <= start) {
    errors.push({ pointer: "/expiresAt", code: "too_early", detail: "Later than now and than scheduledAt" });
  } else if (expiresAt.getTime() > latest + 30 * 86_400_000) {
    errors.push({ pointer: "/expiresAt", code: "too_late", detail: "At most 60 days ahead" });
  }
  if (errors.length > 0) throw new DomainError("invalid_request", "The times do not fit.", { errors });
  // A past time means now.
  return { scheduledAt: scheduledAt && scheduledAt > now ? scheduledAt : null, expiresAt };
}

function mergeVariables(maps: Record<string, string>[]): Record<string, string> {
  const merged = new Map<string, string>();
  const errors: FieldError[] = [];
  maps.forEach((map, index) => {
    for (const [name, value] of Object.entries(map)) {
      const earlier = merged.get(name);
      if (earlier !== undefined && earlier !== value) {
        errors.push({
          pointer: `/templateVariables/${String(index)}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
          code: "contradictory_variable",
          detail: "The same variable has another value earlier in the list",
        });
      }
      merged.set(name, value);
    }
  });
  if (errors.length > 0) throw new DomainError("invalid_request", "A variable has two values.", { errors });
  if (merged.size > sendLimits.variables) {
    throw new DomainError("invalid_request", `At most ${String(sendLimits.variables)} variables in all.`, {
      errors: [{ pointer: "/templateVariables", code: "too_big", detail: "Too many variables" }],
    });
  }
  return Object.fromEntries(merged);
}

function planMessage(
  recipient: SendOrder["recipients"][number],
  position: number,
  of: {
    choices: ReadonlyMap<Channel, TemplateChoice>;
    closed: ReadonlyMap<Channel, ClosedChannel>;
    /** The request's own. */
    variables: Record<string, string>;
    consent: Pick<PlannedMessage, "policy" | "consentClass">;
    agent: AgentLimits | undefined;
    /** Channels and addresses of the messages before it that go out; its own is added when it does. */
    taken: Set<string>;
    /** Whether a connection may take addresses with letters beyond ASCII before the @. */
    utf8Mail: boolean;
  },
): PlannedMessage {
  const { channel } = recipient;
  const shut = of.closed.get(channel);
  const template = of.choices.get(channel)?.chosen ?? null;
  const located = locateAddress(channel, recipient.recipient);
  const base = {
    position,
    channel,
    recipient: located?.address ?? recipient.recipient,
    country: located?.country ?? null,
    variables: recipient.variables ?? null,
    template,
    ...of.consent,
  };
  if (located === null) {
    return { ...base, reason: { code: "invalid_recipient", detail: addressHint(channel) } };
  }
  if (channel === "email" && !of.utf8Mail && needsUtf8(located.address))
    return { ...base, reason: needsSmtpUtf8 };
  if (of.agent && !of.agent.allows(located.address)) return { ...base, reason: notAllowedRecipient };
  if (shut) return { ...base, reason: shut.reason };
  const problems = template ? checkVariables(template.variables, valuesFor(recipient, of.variables)) : [];
  if (problems.length > 0) return { ...base, reason: summarizeProblems(problems) };
  const key = `${channel} ${located.address}`;
  if (of.taken.has(key)) return { ...base, reason: duplicateRecipient };
  of.taken.add(key);
  return { ...base, reason: null };
}

const takesUtf8 = (connection: ProviderConnection | undefined) =>
  connection?.adapter.carriesUtf8Addresses === true;

const needsSmtpUtf8: MessageReason = {
  code: "invalid_recipient",
  detail:
    "The address has letters beyond ASCII before the @, and no connection of the route takes such: it needs one to a mail server with SMTPUTF8.",
};

const duplicateRecipient: MessageReason = {
  code: "duplicate_recipient",
  detail: "The request names this address on this channel more than once; it gets one message.",
};

const valuesFor = (recipient: SendOrder["recipients"][number], shared: Record<string, string>) =>
  recipient.variables ? { ...shared, ...recipient.variables } : shared;

/** How many things a refusal names. */
const maxNamed = 20;

/**
 * Throws what is wrong when every message is rejected by a mistake of the request, and no group gets any. Addresses that are
 * none are their recipients' own: a request with only those is accepted, and each is told.
 */
function refuseIfNothingRemains(
  order: SendOrder,
  messages: readonly PlannedMessage[],
  {
    groups,
    closed,
    variables,
  }: {
    groups: readonly PlannedGroup[];
    closed: ReadonlyMap<Channel, ClosedChannel>;
    variables: Record<string, string>;
  },
): void {
  if (groups.some(({ channels }) => channels.some((channel) => !closed.has(channel)))) return;
  const addressed = messages.filter(({ reason }) => reason?.code !== "invalid_recipient");
  if (addressed.some(({ reason }) => reason === null || reason === notAllowedRecipient)) return;
  if (addressed.length === 0 && groups.length === 0) return;

  const pointer = "type" in order.notification ? "/templateVariables" : "/variables";
  const errors = new Map<string, FieldError>();
  let refused: ClosedChannel["refusal"] | undefined;
  const wanted = new Set([
    ...addressed.map(({ channel }) => channel),
    ...groups.flatMap(({ channels }) => channels),
  ]);
  for (const channel of wanted) {
    const refusal = closed.get(channel)?.refusal;
    refused ??= refusal;
    for (const error of refusal?.errors ?? []) errors.set(error.detail, error);
  }
  for (const { template, channel, position, reason } of addressed) {
    const recipient = order.recipients[position];
    if (!template || !recipient || !reason || closed.has(channel) || errors.size >= maxNamed) continue;
    const problems = checkVariables(template.variables, valuesFor(recipient, variables));
    for (const { code, detail } of problems) {
      refused ??= new DomainError(code, reason.detail);
      errors.set(detail, { pointer, code, detail });
    }
  }
  if (!refused) return;
  throw new DomainError(refused.code, refused.message, { errors: [...errors.values()].slice(0, maxNamed) });
}
