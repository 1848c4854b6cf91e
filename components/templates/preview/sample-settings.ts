/** With what a template is previewed; kept on this device, for each template by itself. */
export type SampleSettings = {
  /** Over the examples of the variables. */
  values: Record<string, string>;
  /** Empty: as the draft or its application says. */
  language: string;
  region: string;
};

export const none: SampleSettings = { values: {}, language: "", region: "" };

/** What of the settings that a device kept is still known; an older page kept a time zone, too. */
export function settingsFrom({
  values = none.values,
  language = "",
  region = "",
}: Partial<SampleSettings>): SampleSettings {
  return { values, language, region };
}

/** Whether anything is set, so that there is something to reset. */
export function differs({ values, language, region }: SampleSettings): boolean {
  return language !== "" || region !== "" || Object.keys(values).length > 0;
}
