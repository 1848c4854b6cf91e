import { z } from "zod";
import { timeZone } from "../contacts/schemas.ts";
import { reportLimits, viewPages, type ViewPage } from "./vocabulary.ts";

const plain = /^\P{Cc}*$/u;
const name = z.string().trim().min(1, "Give it a name").max(reportLimits.viewName).regex(plain);
const query = z.string().max(reportLimits.query, "The address is too long to save").regex(plain);
const page = z.enum(viewPages);

export const viewListSchema = z.strictObject({ page });
export const viewInputSchema = z.strictObject({ page, name, query, shared: z.boolean() });
export const viewUpdateSchema = z.strictObject({
  id: z.uuid(),
  name: name.optional(),
  query: query.optional(),
  shared: z.boolean().optional(),
});
export const viewIdSchema = z.strictObject({ id: z.uuid() });

/** A view as its menu shows it. */
export interface SavedView {
  id: string;
  page: ViewPage;
  name: string;
  query: string;
  shared: boolean;
  by: string;
  own: boolean;
  /** Whether the reader may rename, share and delete it. */
  mayChange: boolean;
  /** Scheduled reports of it, and how many of them are scheduled by others than its maker. */
  reports: number;
  reportsOfOthers: number;
  updatedAt: string;
}

/** Of a place, or UTC: the database takes an abbreviation such as CET for hours without summer time, or of another country. */
const zoneOfPlace = timeZone.refine((zone) => zone === "UTC" || zone.includes("/"), {
  error: "The time zone of a place, such as Europe/Berlin",
});

export const rhythms = ["daily", "weekly", "monthly"] as const;
export type Rhythm = (typeof rhythms)[number];

const scheduleFields = {
  rhythm: z.enum(rhythms),
  /** Of the week, 1 is Monday, or of the month; null for every day. */
  day: z.int().min(1).max(28).nullable(),
  hour: z.int().min(0).max(23),
  timeZone: zoneOfPlace,
  recipients: z
    .array(z.uuid())
    .min(1, "Choose who gets it")
    .max(reportLimits.recipients, `At most ${String(reportLimits.recipients)} people`),
};
const fits = ({ rhythm, day }: { rhythm: Rhythm; day: number | null }) =>
  rhythm === "daily" ? day === null : day !== null && (rhythm === "monthly" || day <= 7);
const unfit = { error: "Choose a day", path: ["day"] };

export const scheduleInputSchema = z
  .strictObject({ viewId: z.uuid(), ...scheduleFields })
  .refine(fits, unfit);
export type ScheduleInput = z.output<typeof scheduleInputSchema>;
/** `revision`: what the change is based on, as it was read. */
export const scheduleUpdateSchema = z
  .strictObject({ id: z.uuid(), ...scheduleFields, revision: z.string().max(64).optional() })
  .refine(fits, unfit);
export type ScheduleUpdate = z.output<typeof scheduleUpdateSchema>;
export const schedulePauseSchema = z.strictObject({ id: z.uuid(), paused: z.boolean() });

export interface ScheduleSend {
  name: string;
  state: "waiting" | "sent" | "skipped" | "failed";
  attempts: number;
  problem: string | null;
  nextAt: string | null;
  notificationId: string | null;
}

/** A schedule as its page shows it. */
export interface Schedule {
  id: string;
  view: { id: string; page: ViewPage; name: string; query: string };
  /** Whether whoever scheduled it still has the view; until then it is not sent. */
  available: boolean;
  rhythm: Rhythm;
  day: number | null;
  hour: number;
  timeZone: string;
  recipients: { id: string; name: string }[];
  /** Names when it is sent and to whom, for a change that is based on it. */
  revision: string;
  by: string;
  paused: boolean;
  nextAt: string | null;
  mayChange: boolean;
  /** Whether the reader gets it. */
  mine: boolean;
  /** The last time that was due, and what became of each mail. */
  last: { dueAt: string; sends: ScheduleSend[] } | null;
}
