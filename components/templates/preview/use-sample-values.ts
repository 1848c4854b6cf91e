"use client";

import { useRemembered } from "../../data-table/use-remembered.ts";
import { usePortalData } from "../../portal/portal-context.tsx";
import type { Draft } from "../draft.ts";
import { differs, none, settingsFrom, type SampleSettings } from "./sample-settings.ts";

/** The sample values and the place that a preview is made for. `templateId` is undefined for a new template. */
export function useSampleSettings(templateId: string | undefined) {
  const { tenant, user } = usePortalData();
  const [stored, store] = useRemembered<Partial<SampleSettings>>(
    // Values may tell of people, and devices are shared.
    `preview:${tenant.id}:${user.id}:${templateId ?? "new"}`,
    none,
  );
  const settings = settingsFrom(stored);
  return {
    settings,
    change: (next: Partial<SampleSettings>) => store({ ...settings, ...next }),
    setValue: (name: string, value: string) =>
      store({ ...settings, values: { ...settings.values, [name]: value } }),
    reset: () => store(none),
    changed: differs(settings),
  };
}

/** Where a message of the draft would usually go: its own audience, or else what its application is used for. */
export function useUsualPlace(draft: Pick<Draft, "application" | "language" | "region">) {
  const { applications } = usePortalData();
  const application = applications.find((each) => each.name === draft.application);
  return {
    language: draft.language || application?.defaultLanguage || "en",
    region: draft.region || application?.defaultRegion || "",
  };
}
