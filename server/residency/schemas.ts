/** Where an organisation's data may be processed. Safe in the browser. */
import { z } from "zod";
import { dataRegions } from "../tenancy/vocabulary.ts";

const region = z.object({ code: z.string(), name: z.string() });

/** Something that processes data of the organisation in a region. */
export const regionUseSchema = z.object({
  kind: z.enum(["connection", "shortener", "ai"]),
  name: z
    .string()
    .meta({ description: "The connection's name, the shortener's environment, or the AI service" }),
  region: z.string(),
  allowed: z.boolean().meta({ description: "False: nothing is sent there" }),
});
export type RegionUse = z.output<typeof regionUseSchema>;

export const residencySchema = z.object({
  dataRegion: region.meta({
    description: "The organisation's own region, where data may always be processed",
  }),
  allowedTransferRegions: z.array(
    region.extend({
      since: z.iso.datetime().nullable(),
      by: z.string().nullable(),
      reason: z
        .string()
        .nullable()
        .meta({ description: "Why it was allowed, as far as the audit trail goes back" }),
    }),
  ),
  regions: z.array(region).meta({ description: "Every region that can be allowed" }),
  uses: z.array(regionUseSchema),
});
export type Residency = z.output<typeof residencySchema>;

/** Body of PUT /v1/residency. */
export const residencyUpdateSchema = z.strictObject({
  allowedTransferRegions: z
    .array(z.string().min(1).max(16))
    .max(dataRegions.length + 20)
    .transform((list) => [...new Set(list)])
    .meta({
      description: "All regions outside its own in which the organisation's data may be processed",
      example: ["US"],
    }),
  reason: z
    .string()
    .trim()
    .min(1, "Say why: the audit trail keeps it with each permission and each withdrawal")
    .max(1_000)
    .meta({ description: "Kept in the audit trail with each permission and each withdrawal" }),
  expected: z.array(z.string().max(16)).max(100).optional().meta({
    description: "The regions as you read them: the change is refused when somebody has changed them since",
  }),
});
export type ResidencyUpdate = z.output<typeof residencyUpdateSchema>;

export const residencyChangedSchema = residencySchema.extend({
  stopped: z
    .array(regionUseSchema.omit({ allowed: true }))
    .meta({ description: "What is not used any more because of this change" }),
});
