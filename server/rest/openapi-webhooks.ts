import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { testEvent, webhookEvents } from "../webhooks/schemas.ts";

/** What is posted: the events that an endpoint can subscribe to, and the one that is sent on request. */
const postedEvents = [...webhookEvents, testEvent] as const;

/** The body of a webhook, as a component of the document. */
export const webhookEventDocument = z
  .object({
    event: z.enum(postedEvents),
    timestamp: z.iso.datetime(),
    data: z
      .looseObject({
        notificationId: z.uuid().optional(),
        channel: channelSchema.optional(),
        to: z.string().optional(),
        status: z.string().optional(),
        provider: z.string().nullable().optional(),
        deliveredAt: z.iso.datetime().nullable().optional(),
        sequence: z
          .int()
          .optional()
          .meta({ description: "Numbers the events of a notification without gaps" }),
        application: z.string(),
        environment: z.string(),
        transactionId: z.string().nullable().optional(),
        reason: z.object({ code: z.string(), detail: z.string() }).nullable().optional(),
        failure: z
          .object({
            code: z.string(),
            detail: z.string(),
            providerCode: z.string().nullish(),
            providerMessage: z.string().nullish(),
          })
          .nullable()
          .optional(),
        metadata: z.record(z.string(), z.string()).optional(),
        permanent: z.boolean().optional().meta({
          description: "Of notification.bounced: whether the address will take nothing later either",
        }),
        messageId: z.uuid().optional().meta({ description: "Of message.received and button.tapped" }),
        from: z
          .string()
          .optional()
          .meta({ description: "The recipient who wrote; `to` is then your sender" }),
        text: z.string().optional(),
        kind: z.string().optional().meta({ description: "What a message is that is no text, e.g. image" }),
        button: z
          .object({ payload: z.string(), text: z.string() })
          .optional()
          .meta({ description: "The quick-reply button that was tapped" }),
        repliesTo: z.uuid().optional().meta({ description: "The notification that it answers" }),
        receivedAt: z.iso.datetime().optional(),
        importId: z.uuid().optional().meta({ description: "Of import.finished, with `counts`" }),
        counts: z
          .object({ created: z.int(), updated: z.int(), unchanged: z.int(), failed: z.int() })
          .optional()
          .meta({ description: "Rows of the file by result" }),
        budgetId: z
          .uuid()
          .optional()
          .meta({ description: "Of budget.threshold_reached, as `budget`, `percent` and `month`" }),
        budget: z.string().optional(),
        percent: z.int().optional().meta({ description: "The threshold; of several at once the highest" }),
        month: z.string().optional().meta({ description: "As 2026-11, by UTC" }),
        tenantId: z.uuid().optional().meta({ description: "Of audit.checkpoint, as all that follow" }),
        hash: z.string().optional().meta({ description: "Of the entry that `sequence` numbers" }),
        at: z.iso.datetime().optional(),
        checkpoint: z.int().optional().meta({ description: "Numbers the installation's checkpoints" }),
        keyId: z.string().optional().meta({ description: "Of the installation's public key" }),
        signature: z.string().optional().meta({ description: "Ed25519; docs/audit.md says over what" }),
      })
      .meta({
        description:
          "Events about a notification carry its facts, those about a message from a recipient its text",
      }),
    signature: z.string().meta({
      description:
        "sha256= and the HMAC-SHA256, in hexadecimal, of the body's bytes before the last comma, closed with `}`, under the base64-decoded secret after `whsec_`",
      example: `sha256=${"0123456789abcdef".repeat(4)}`,
    }),
  })
  .meta({ id: "WebhookEvent", description: "What is posted to a webhook endpoint" });

const whatHappened: Record<string, string> = {
  "budget.threshold_reached":
    "A budget has reached a threshold, without amounts; only to endpoints that ask for it",
  "audit.checkpoint": "The last entry of your audit trail, signed; only to endpoints that ask for it",
  "button.tapped": "A recipient tapped a button of a WhatsApp message",
  "consent.opted_in": "A recipient opted in",
  "consent.opted_out": "A recipient opted out",
  "import.finished":
    "A file of contacts, consent or suppressions was imported; events of its rows do not tell of it",
  "link.clicked": "A recipient opened a short link",
  "message.received": "A recipient sent a message to one of your senders",
  "notification.bounced": "A mail came back; `failure` of notification.failed says why",
  "notification.complained": "A recipient marked a mail as unwanted",
  "notification.read": "A recipient opened a message",
  "notification.pending_approval": "What an agent sent to production waits for a person",
  "suppression.created": "An address is written to no more, or for longer than before",
  "suppression.removed": "A suppressed address may be written to again",
  [testEvent]: "You asked for a test of the endpoint; sent whatever events it takes",
  "processing.error": "Something could not be processed",
};

/** OpenAPI 3.0 has no webhooks, so they are in an extension, shaped as in 3.1. */
export function webhookEventDocuments() {
  return Object.fromEntries(
    postedEvents.map((event) => [
      event,
      {
        post: {
          summary: whatHappened[event] ?? `A notification became ${event.slice(event.indexOf(".") + 1)}`,
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/WebhookEvent" } } },
          },
          responses: { "2XX": { description: "Received; anything else is tried again" } },
        },
      },
    ]),
  );
}
