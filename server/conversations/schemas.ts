import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { pageOf, pageQuery } from "../kernel/page.ts";
import { notificationStatusSchema } from "../sending/schemas.ts";

const time = z.iso.datetime();
const button = z.object({ payload: z.string(), text: z.string() });

/** One recipient and one of our senders, for one application. */
export const conversationSchema = z.object({
  id: z.uuid(),
  channel: channelSchema,
  address: z.string().meta({ description: "The recipient; masked without content:reveal" }),
  ownAddress: z.string().meta({ description: "Your number, short code or name" }),
  application: z.string().nullable().meta({
    description: "Null if the message replies to none of yours and its connection has no default application",
  }),
  environment: z.string().nullable(),
  provider: z.string().nullable().meta({ description: "The connection that received the newest message" }),
  lastMessage: z
    .object({ text: z.string(), kind: z.string().nullable() })
    .nullable()
    .meta({ description: "Latest text from the recipient; null without content:reveal" }),
  lastMessageAt: time,
  unread: z.int().meta({ description: "Unread messages from the recipient" }),
  optedOut: z.boolean().meta({ description: "The recipient has opted out on this channel" }),
  createdAt: time,
});
export type Conversation = z.output<typeof conversationSchema>;

/** Query of GET /v1/conversations. */
export const conversationListQuerySchema = z.object({
  channel: channelSchema.optional(),
  application: z.string().min(1).max(128).optional(),
  address: z.string().trim().min(1).max(320).optional().meta({
    description:
      "Exactly this recipient, a number in any form as in `to` of the notifications; needs `content:reveal`, 403 without it",
  }),
  ...pageQuery,
});
export const conversationListSchema = pageOf(conversationSchema);

/** A message, either way. */
export const conversationMessageSchema = z.object({
  id: z.uuid().meta({ description: "Of an outbound message: its notificationId" }),
  direction: z.enum(["inbound", "outbound"]),
  at: time,
  text: z.string().nullable().meta({
    description:
      "Null without content:reveal, and when the text of a message of yours can no longer be rendered",
  }),
  kind: z.string().nullable().meta({ description: "Kind of a message without text, such as image" }),
  button: button.nullable().meta({ description: "The quick-reply button that the recipient tapped" }),
  optOut: z
    .enum(["stop", "start", "help"])
    .nullable()
    .meta({ description: "The keyword that the provider took it for" }),
  repliesTo: z.uuid().nullable().meta({ description: "The notification it replies to" }),
  status: notificationStatusSchema.nullable().meta({ description: "Of an outbound message" }),
  readAt: time.nullable(),
  simulated: z.boolean().meta({
    description:
      "Of an outbound message: the simulator carried it, so nobody received it, whatever the status says",
  }),
  template: z.string().nullable(),
});
export type ConversationMessage = z.output<typeof conversationMessageSchema>;

/** Query of GET /v1/conversations/{id}/messages. */
export const conversationMessagesQuerySchema = z.object(pageQuery);
export const conversationMessagesSchema = pageOf(conversationMessageSchema);

/** The portal's inputs. */
export const portalConversationListSchema = z.object({
  environmentId: z.uuid(),
  unitId: z.uuid().optional(),
  channel: channelSchema.optional(),
  application: z.string().min(1).max(128).optional(),
  address: z.string().trim().min(1).max(320).optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: pageQuery.cursor,
});
export const portalConversationMessagesSchema = z.object({
  id: z.string().max(64),
  limit: z.int().min(1).max(200).default(50),
  cursor: pageQuery.cursor,
});
