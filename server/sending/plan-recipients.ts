import { addressToken, consentKey } from "../consent/address-token.ts";
import type { ContactRecipient } from "../contacts/read-groups.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import type { RefusableAddress, RunningBroadcast } from "./broadcast-queries.ts";
import { deliveryLanes, laneOf } from "./lanes.ts";
import { planRequest } from "./plan-request.ts";
import type { AcceptRequest } from "./queries.ts";

/** What planning its recipients needs of a broadcast, stored or only thought of. */
export type Campaign = Pick<
  RunningBroadcast,
  | "id"
  | "environmentId"
  | "applicationId"
  | "unitId"
  | "sandbox"
  | "class"
  | "region"
  | "language"
  | "notificationType"
  | "notificationSubtype"
  | "firstPosition"
  | "total"
  | "variables"
  | "endsAt"
>;

/** A recipient at the address that it would be written to now. */
export interface Addressed {
  position: number;
  channel: Channel;
  address: string;
  contact: ContactRecipient;
}

/**
 * Plans messages to recipients of a broadcast, those of the same channel, region and language together: they have one template and one
 * policy. What is wrong with one recipient becomes that message's reason.
 */
export async function planRecipients(
  ctx: Ctx,
  catalogue: Catalogue,
  broadcast: Campaign,
  wanted: readonly Addressed[],
): Promise<(AcceptRequest & { appended: true })[]> {
  const alike = Map.groupBy(wanted, ({ channel, contact }) =>
    [channel, contact.region ?? broadcast.region, contact.language ?? broadcast.language].join(" "),
  );
  const key = await consentKey(ctx);
  const requests: (AcceptRequest & { appended: true })[] = [];
  for (const recipients of alike.values()) {
    const request = await planAlike(ctx, catalogue, broadcast, recipients);
    for (const message of request.messages) {
      if (key) message.token = addressToken(key, message.channel, message.recipient);
    }
    requests.push(request);
  }
  return requests;
}

async function planAlike(
  ctx: Ctx,
  catalogue: Catalogue,
  broadcast: Campaign,
  recipients: readonly Addressed[],
): Promise<AcceptRequest & { appended: true }> {
  const [first] = recipients;
  const region = first?.contact.region ?? broadcast.region;
  const language = first?.contact.language ?? broadcast.language;
  const { notificationType: type, notificationSubtype: subtype, environmentId, applicationId } = broadcast;
  const ground = {
    id: broadcast.id,
    appended: true as const,
    ...{ environmentId, applicationId, region, language, type, subtype },
    unitId: broadcast.unitId,
    sandbox: broadcast.sandbox,
    source: "send" as const,
    ...{ actorType: ctx.actor.type, actorId: null, transactionId: null },
    ...{ keyKind: null, key: null, bodyHash: null, keyExpiresAt: null },
    class: broadcast.class,
    ...{ variables: {}, metadata: {}, scheduledAt: null },
    // Together they are a campaign from a thousand on, however few go at a time.
    task: deliveryLanes[laneOf(broadcast, broadcast.firstPosition + broadcast.total)].name,
  };
  const variablesOf = ({ contact }: Addressed) => contactVariables(contact);
  const plan = await planRequest(
    ctx,
    {
      environmentId,
      application: catalogue.applications.find(({ id }) => id === applicationId)?.name ?? "",
      notification: { type, subtype },
      ...{ region, language },
      recipients: recipients.map((each) => ({
        channel: each.channel,
        recipient: each.address,
        variables: variablesOf(each),
      })),
      templateVariables: [broadcast.variables],
      expiresAt: broadcast.endsAt?.toISOString(),
    },
    "keep",
  );
  return {
    ...ground,
    expiresAt: plan.expiresAt.toISOString(),
    messages: plan.messages.map((message, index) => ({
      id: newId(),
      position: recipients[index]?.position ?? 0,
      channel: message.channel,
      recipient: message.recipient,
      country: message.country,
      variables: declaredOnly(message.variables, message.template?.variables ?? []),
      templateId: message.template?.id ?? null,
      templateVersion: message.template?.version ?? null,
      policy: message.policy,
      ...(message.consentClass === broadcast.class ? {} : { consentClass: message.consentClass }),
      reasonCode: message.reason?.code ?? null,
      reasonDetail: message.reason?.detail ?? null,
    })),
  };
}

/** The addresses of planned messages, for counting those that consent or a suppression refuses. */
export function refusableAddresses(
  requests: readonly AcceptRequest[],
  { class: ownClass }: Pick<Campaign, "class">,
): RefusableAddress[] {
  return requests.flatMap(({ region, messages }) =>
    messages.map(({ channel, recipient, token, policy, consentClass, reasonCode }) => ({
      ...{ channel, region },
      addresses: token === undefined ? [recipient] : [recipient, token],
      class: consentClass ?? ownClass,
      // What cannot be sent for another reason is told as that.
      policy: reasonCode === null ? policy : "exempt",
    })),
  );
}

/** A contact's attributes as variables; their name as `name` unless an attribute is called so. */
export function contactVariables({ name, attributes }: ContactRecipient): Record<string, string> {
  return name === null ? attributes : { name, ...attributes };
}

/** Of a contact's many attributes, a message keeps those that its template uses. */
function declaredOnly(
  variables: Record<string, string> | null,
  declared: readonly { name: string }[],
): Record<string, string> | null {
  const entries = declared.flatMap(({ name }) =>
    variables && Object.hasOwn(variables, name) ? [[name, variables[name] ?? ""] as const] : [],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
