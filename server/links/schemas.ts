import { z } from "zod";
import { shortenerKinds } from "./vocabulary.ts";

export const shortenerKindSchema = z.enum(shortenerKinds);
export type ShortenerKind = z.output<typeof shortenerKindSchema>;

const printable = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, { error: "Letters, digits and signs of ASCII, without spaces" });

/** Days for which built-in links work. */
const validDays = z.int().min(1).max(400);

/** Body of PUT /v1/shorteners/{environment}: all settings; a secret may be left out to keep it. */
export const shortenerUpdateSchema = z.strictObject({
  kind: shortenerKindSchema,
  secret: printable(512).optional().meta({
    description:
      "Bitly: access token. TinyURL: API token. Rebrandly: API key. Never returned. If omitted, the stored one is kept",
  }),
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/, {
      error: "A host name such as go.example.com",
    })
    .nullish()
    .meta({ description: "Your own domain at the service" }),
  account: printable(128)
    .nullish()
    .meta({ description: "Bitly: GUID of the group. Rebrandly: id of the workspace" }),
  processingRegion: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: "Two capital letters, e.g. EU or US" })
    .nullish()
    .meta({ description: "Where the service processes data; needed for a service", example: "US" }),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .nullish()
    .meta({ description: "Only if the service has a different address" }),
  validDays: validDays.optional().meta({ description: "Days for which built-in links work; default 90" }),
  updatedAt: z.iso.datetime().nullish().meta({
    description: "The revision you read. The change is refused if someone has changed the shortener since",
  }),
});
export type ShortenerUpdate = z.output<typeof shortenerUpdateSchema>;

const time = z.iso.datetime().nullable();

/** The shortener of an environment as the API presents it. */
export const shortenerSchema = z.object({
  environment: z.string(),
  kind: shortenerKindSchema,
  hasSecret: z.boolean().meta({ description: "Whether a secret is stored" }),
  domain: z.string().nullable(),
  account: z.string().nullable(),
  processingRegion: z.string().nullable(),
  baseUrl: z.string().nullable(),
  validDays: z.int(),
  example: z.string().nullable().meta({ description: "Example of its links; null: links are not shortened" }),
  testedAt: time,
  testProblem: z.string().nullable().meta({ description: "Problem found by the last test" }),
  problemAt: time,
  problem: z.string().nullable().meta({ description: "Why a message was last sent with a full link" }),
  updatedAt: time.meta({ description: "Pass it with the next change. Null: never changed" }),
});
export type ShortenerSettings = z.output<typeof shortenerSchema>;

export const shortenerListSchema = z.object({ data: z.array(shortenerSchema) });

/** Body of POST /v1/shorteners/{environment}/test. */
export const shortenerTestSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .default("https://www.example.com/a-page-for-a-test")
    .meta({ description: "The address to shorten" }),
});

export const shortenerTestResultSchema = z.object({
  ok: z.boolean(),
  url: z.string(),
  shortUrl: z.string().nullable(),
  problem: z.string().nullable(),
});
export type ShortenerTestResult = z.output<typeof shortenerTestResultSchema>;

/** A short link of one message. */
export const messageLinkSchema = z.object({
  /** Both null for those who may not see contents. */
  shortUrl: z.string().nullable(),
  url: z.string().nullable(),
  /** Null: the service counts its own clicks. */
  clicks: z.int().nullable(),
  /** Of programs: previews, scanners. */
  machineClicks: z.int().nullable(),
  firstClickedAt: time,
  lastClickedAt: time,
});
export type MessageLink = z.output<typeof messageLinkSchema>;
