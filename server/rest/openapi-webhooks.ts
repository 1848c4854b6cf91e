import { z } from "zod";
import { eventSchemas } from "../webhooks/event-schemas.ts";
import { feedKinds } from "../webhooks/feed-schemas.ts";
import { testEvent } from "../webhooks/schemas.ts";
import { webhookEvents } from "../webhooks/vocabulary.ts";

/** What is posted: the events that an endpoint can subscribe to, and the one that is sent on request. */
const postedEvents = [...webhookEvents, testEvent] as const;

const signature = z.string().meta({
  description:
    "sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_`",
  example: `sha256=${"0123456789abcdef".repeat(4)}`,
});

const componentOf = ({ name }: { name: string }) => `Webhook${name}`;

/** The kinds of events of the feed, and what the `data` of both holds, as components of the document. */
export const feedEventComponents: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(eventSchemas.map((each) => [`${componentOf(each)}Data`, each.data])),
  ...Object.fromEntries(Object.entries(feedKinds).map(([name, kind]) => [`Feed${name}`, kind])),
};

/** The bodies of webhooks, as components of the document: one for each kind, told apart by `event`. */
export const webhookEventComponents: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  eventSchemas.map((each) => [
    componentOf(each),
    z.object({ event: z.enum(each.events), timestamp: z.iso.datetime(), data: each.data, signature }),
  ]),
);

/** What may be posted to an endpoint. */
export const webhookEventDocument = z
  .union(Object.values(webhookEventComponents))
  .meta({ description: "What is posted to a webhook endpoint; `event` says which of these it is" });

const whatHappened: Record<string, string> = {
  "budget.threshold_reached":
    "A budget has reached a threshold, without amounts; only to endpoints that ask for it",
  "audit.checkpoint": "The last entry of your audit trail, signed; only to endpoints that ask for it",
  "button.tapped": "A recipient tapped a button of a WhatsApp message",
  "consent.opted_in": "A recipient opted in",
  "consent.opted_out": "A recipient opted out",
  "import.finished":
    "An import of contacts, consent or suppressions ended; its rows have no events of their own",
  "link.clicked": "A recipient opened a short link",
  "message.received": "A recipient sent a message to one of your senders",
  "notification.bounced": "An email bounced; `failure` of notification.failed says why",
  "notification.complained": "A recipient reported an email as spam",
  "notification.read": "A recipient opened a message",
  "notification.pending_approval": "A message that an agent sent to production is waiting for approval",
  "suppression.created": "An address was suppressed, or its suppression was extended",
  "suppression.removed": "An address is no longer suppressed",
  [testEvent]: "A test event, sent on request whatever the endpoint subscribes to",
  "processing.error": "Something could not be processed",
};

function componentOfEvent(event: (typeof postedEvents)[number]): string {
  const found = eventSchemas.find(({ events }) => events.includes(event));
  if (!found) throw new Error(`No body is described for ${event}`);
  return componentOf(found);
}

/** OpenAPI 3.0 has no webhooks, so they are in an extension, shaped as in 3.1. */
export function webhookEventDocuments() {
  return Object.fromEntries(
    postedEvents.map((event) => [
      event,
      {
        post: {
          summary: whatHappened[event] ?? `A notification became ${event.slice(event.indexOf(".") + 1)}`,
          requestBody: {
            content: {
              "application/json": { schema: { $ref: `#/components/schemas/${componentOfEvent(event)}` } },
            },
          },
          responses: { "2XX": { description: "Received; anything else is tried again" } },
        },
      },
    ]),
  );
}
