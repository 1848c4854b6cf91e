/** Objectives of an organisation, what was measured of them, and its status page. Safe in the browser. */
import { z } from "zod";
import { incidentStates, type IncidentState } from "./vocabulary.ts";

/** What bounds them. */
export const objectiveLimits = {
  /** Days that an objective looks back, and that the status page shows. */
  days: 30,
  statusDays: 90,
  /** Alerts and incidents that are listed; updates of one incident, and of these on the public page; incidents that are kept. */
  alerts: 50,
  incidents: 20,
  updates: 50,
  publicUpdates: 10,
  keptIncidents: 500,
  /** Mails of one alert, and of its end. */
  mails: 50,
} as const;

/**
 * When an alert begins: the budget burns so many times too fast in both windows (minutes), and enough was measured in the longer one
 * that it means something. Times without any web process count once they come to `leastDownMs`.
 */
export const burnRules = {
  fast: { times: 14.4, long: 60, short: 5 },
  slow: { times: 6, long: 360, short: 30 },
  leastEvents: 20,
  leastMissed: 5,
  leastDownMs: 180_000,
} as const;

export const defaultObjectives = { availabilityTarget: 99.9, codesTarget: 99, codesSeconds: 10 } as const;

const target = z
  .number("A percentage, e.g. 99.9")
  .min(90, "At least 90%")
  .max(99.99, "At most 99.99%: more leaves no budget at all")
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e3), "At most three decimal places");

export const objectiveSettingsSchema = z.object({
  availabilityTarget: target,
  codesTarget: target,
  codesSeconds: z.int("Whole seconds").min(2, "At least 2 seconds").max(60, "At most 60 seconds"),
});
export type ObjectiveSettings = z.output<typeof objectiveSettingsSchema>;
/** What is left out stays. */
export const objectiveChangeSchema = objectiveSettingsSchema.partial();
export type ObjectiveChange = z.output<typeof objectiveChangeSchema>;

export const objectiveKinds = ["availability", "codes"] as const;
export type ObjectiveKind = (typeof objectiveKinds)[number];

const day = z.object({
  day: z.iso.date(),
  good: z.int(),
  missed: z.int(),
  /** Without any web process; 0 for codes. */
  downSeconds: z.int(),
  /** Share that was good; null: nothing was measured. */
  share: z.number().nullable(),
});
export type ObjectiveDay = z.output<typeof day>;

const alert = z.object({
  id: z.uuid(),
  objective: z.enum(objectiveKinds),
  /** fast: 14.4 times over an hour and five minutes; slow: 6 times over six hours and thirty minutes. */
  speed: z.enum(["fast", "slow"]),
  beganAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  burn: z.number(),
});
export type ObjectiveAlert = z.output<typeof alert>;

const objective = z
  .object({
    objective: z.enum(objectiveKinds),
    /** Percent. */
    target: z.number(),
    good: z.int(),
    missed: z.int(),
    downSeconds: z.int(),
    share: z.number().nullable(),
    /** Shares of the error budget; negative `budgetLeft`: it is overdrawn. Null: nothing was measured. */
    budgetUsed: z.number().nullable(),
    budgetLeft: z.number().nullable(),
    /** How many times faster than the budget allows. */
    burn: z.object({ hour: z.number().nullable(), sixHours: z.number().nullable() }),
    days: z.array(day),
  })
  .meta({ description: "Of the last 30 days, today with it" });
export type Objective = z.output<typeof objective>;

export const objectivesSchema = z.object({
  /** Since when is measured. */
  since: z.iso.datetime(),
  to: z.iso.datetime(),
  codesSeconds: z.int(),
  /** Up to which time a code surely was in time: measurements are kept in steps. */
  codesMeasuredSeconds: z.number(),
  objectives: z.array(objective),
  alerts: z.array(alert).meta({ description: "The newest 50" }),
});
export type Objectives = z.output<typeof objectivesSchema>;

export interface ObjectivesView extends Objectives {
  mayChange: boolean;
}

const slug = z
  .string()
  .min(3, "At least three characters")
  .max(40, "At most 40 characters")
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, "Lower-case letters, digits and hyphens");

export const statusPageSchema = z.object({
  slug,
  published: z.boolean(),
  figures: z.boolean(),
  automatic: z.boolean(),
});
export type StatusPageSettings = z.output<typeof statusPageSchema>;
/** What is left out stays; the first time there is nothing to stay. */
export const statusPageChangeSchema = statusPageSchema.partial();
export type StatusPageChange = z.output<typeof statusPageChangeSchema>;

const text = z.string().trim().min(1, "Say what is known").max(2_000, "At most 2,000 characters");
export const incidentCreateSchema = z.object({
  title: z.string().trim().min(1, "Give it a title").max(120, "At most 120 characters"),
  state: z.enum(incidentStates),
  text,
});
export const incidentUpdateSchema = z.object({ id: z.uuid(), state: z.enum(incidentStates), text });
export const incidentIdSchema = z.object({ id: z.uuid() });

export interface IncidentView {
  id: string;
  title: string;
  state: IncidentState;
  /** An alert opened it. */
  automatic: boolean;
  beganAt: string;
  resolvedAt: string | null;
  /** Newest first. */
  updates: { id: string; state: IncidentState; text: string; at: string }[];
}

export interface StatusPageView {
  settings: StatusPageSettings | null;
  /** Where it is. */
  address: string | null;
  /** A name for its address that fits. */
  suggested: string;
  incidents: IncidentView[];
}
