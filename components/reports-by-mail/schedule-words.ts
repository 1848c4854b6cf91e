import type { Schedule, ScheduleSend } from "../../server/reports/schemas.ts";
import type { ViewPage } from "../../server/reports/vocabulary.ts";
import type { BadgeTone } from "../ui/badge.tsx";

export const weekdays = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

export const pageWords: Record<ViewPage, string> = {
  messages: "Messages",
  overview: "Overview",
  costs: "Costs",
  delivery: "Delivery",
};

export const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/** 1 → "1st" */
export function ordinal(day: number): string {
  const kind = new Intl.PluralRules("en", { type: "ordinal" }).select(day);
  const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
  return `${String(day)}${endings[kind] ?? "th"}`;
}

/** "Every Monday at 08:00, Europe/Berlin" */
export function rhythmWords({
  rhythm,
  day,
  hour,
  timeZone,
}: Pick<Schedule, "rhythm" | "day" | "hour" | "timeZone">) {
  const when =
    rhythm === "daily"
      ? "Every day"
      : rhythm === "weekly"
        ? `Every ${weekdays[(day ?? 1) - 1] ?? ""}`
        : `On the ${ordinal(day ?? 1)} of each month`;
  return `${when} at ${clock(hour)}, ${timeZone}`;
}

export const sendWords: Record<ScheduleSend["state"], { label: string; tone: BadgeTone }> = {
  waiting: { label: "Sending", tone: "info" },
  sent: { label: "Sent", tone: "success" },
  skipped: { label: "Not sent", tone: "warning" },
  failed: { label: "Failed", tone: "danger" },
};
