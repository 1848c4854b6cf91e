/** What sets up an organisation, and its first steps. Safe in the browser. */
import { z } from "zod";
import { newPasswordSchema } from "../access/schemas.ts";
import { emailSchema, newSlugSchema, titleSchema } from "../tenancy/schemas.ts";
import { dataRegions } from "../tenancy/vocabulary.ts";

const regionCodes = dataRegions.map(({ code }) => code);

/** An organisation and its owner, as a command or the set-up page takes them. */
export const organisationSchema = z.strictObject({
  name: titleSchema,
  slug: newSlugSchema,
  dataRegion: z.enum(regionCodes as [string, ...string[]]).default("EU"),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, { error: "Two capital letters, e.g. DE" })
    .default("DE"),
  language: z.enum(["en", "de"]).default("en"),
  ownerName: titleSchema,
  email: emailSchema,
});

export const setUpSchema = organisationSchema.extend({
  token: z.string().min(1).max(200),
  password: newPasswordSchema,
});
export type SetUpInput = z.input<typeof setUpSchema>;

/** What the set-up page shows when it is done; the key is shown this once. */
export interface SetUpDone {
  slug: string;
  email: string;
  sandboxKey: string;
  /** A first request with that key. */
  example: { method: "POST"; path: string; body: Record<string, unknown> };
}

/** The first steps, in the order in which people take them. */
export const checklistSteps = ["sandbox", "provider", "route", "template", "key", "delivered"] as const;
export type ChecklistStep = (typeof checklistSteps)[number];

export interface Checklist {
  /** Null: it is not shown, because it is done or this person does not want it. */
  steps: { step: ChecklistStep; done: boolean }[] | null;
  /** Short name of the environment that the steps are about; null where there is no production. */
  production: string | null;
  sandbox: string | null;
}
