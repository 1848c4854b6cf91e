"use client";

import { useRemembered } from "../../data-table/use-remembered.ts";
import { usePortalData } from "../../portal/portal-context.tsx";
import type { Draft } from "../draft.ts";

/** With what a template is previewed; kept on this device, for each template by itself. */
export type SampleSettings = {
  /** Over the examples of the variables. */
  values: Record<string, string>;
  /** Empty: as the draft or its application says. */
  language: string;
  region: string;
  timezone: string;
};

const none: SampleSettings = { values: {}, language: "", region: "", timezone: "" };

/** The sample values and the place that a preview is made for. `templateId` is undefined for a new template. */
export function useSampleSettings(templateId: string | undefined) {
  const { tenant, user } = usePortalData();
  const [stored, store] = useRemembered<Partial<SampleSettings>>(
    // Values may tell of people, and devices are shared.
    `preview:${tenant.id}:${user.id}:${templateId ?? "new"}`,
    none,
  );
  const settings: SampleSettings = { ...none, ...stored };
  return {
    settings,
    change: (next: Partial<SampleSettings>) => store({ ...settings, ...next }),
    setValue: (name: string, value: string) =>
      store({ ...settings, values: { ...settings.values, [name]: value } }),
    reset: () => store(none),
    changed: Object.keys(stored).some((key) => {
      const value = settings[key as keyof SampleSettings];
      return typeof value === "string" ? value !== "" : Object.keys(value).length > 0;
    }),
  };
}

/** Where a message of the draft would usually go: its own audience, or else what its application is used for. */
export function useUsualPlace(draft: Pick<Draft, "application" | "language" | "region">) {
  const { applications } = usePortalData();
  const application = applications.find((each) => each.name === draft.application);
  return {
    language: draft.language || application?.defaultLanguage || "en",
    region: draft.region || application?.defaultRegion || "",
    timezone: "UTC",
  };
}
