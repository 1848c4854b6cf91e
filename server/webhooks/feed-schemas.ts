import { z } from "zod";
import { eventSchemas } from "./event-schemas.ts";
import type { EventSchema } from "./event-schemas.ts";
import { testEvent, webhookEventSchema } from "./schemas.ts";
import { webhookEvents } from "./vocabulary.ts";

/** How far back the feed goes, days. */
export const feedDays = 30;
/** Most events of one page. */
export const mostFeedEvents = 500;

/** Everything that is reported of its own accord; a test event is sent to one endpoint. */
const kinds = eventSchemas.filter(({ events }) => !events.includes(testEvent));

const kindOf = ({ events, data }: EventSchema) =>
  z.object({
    id: z.string().meta({
      description: "The same whenever the event is read",
      example: "01944ac2-1c00-7000-8000-000000000001.4",
    }),
    event: z.enum(events),
    timestamp: z.iso.datetime().meta({ description: "When it happened. Not the order of the feed" }),
    data,
  });

/** Each kind of event, by the name of the kind. */
export const feedKinds: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
  kinds.map((kind) => [kind.name, kindOf(kind)]),
);

/** One event of the feed. */
export const feedEventSchema = z.union(Object.values(feedKinds)).meta({
  description:
    "What happened: the body of a webhook without its signature, and an id. `event` says which of these it is",
});

/** A page of the feed. */
export const feedPageSchema = z.object({
  data: z.array(feedEventSchema),
  nextCursor: z.string().meta({
    description: "Where to go on. Never null: keep it, and ask again with it for what happens later",
  }),
  hasMore: z.boolean().meta({
    description: "True if more can be read at once. A page may then be shorter than `limit`, or empty",
  }),
});

const time = z.iso.datetime({
  offset: true,
  error: "An ISO 8601 date and time with a zone, e.g. 2027-01-31T08:00:00Z",
});

/** Query of GET /v1/events. */
export const feedQuerySchema = z.object({
  cursor: z.string().max(200).optional().meta({ description: "nextCursor of the previous page" }),
  since: time.optional().meta({
    description: "Where to begin without a cursor. Default: 30 days ago, as far as the feed goes back",
  }),
  event: z
    .union([webhookEventSchema, z.array(webhookEventSchema).max(webhookEvents.length)])
    .optional()
    .meta({
      description:
        "One kind of event, or several as repeated parameters. Default: all but `budget.threshold_reached` and `audit.checkpoint`",
    }),
  application: z.string().min(1).max(128).optional(),
  limit: z.coerce.number().int().min(1).max(mostFeedEvents).default(100),
});
export type FeedQuery = z.output<typeof feedQuerySchema>;
