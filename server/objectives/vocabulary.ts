/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

export const incidentStates = ["investigating", "identified", "monitoring", "resolved"] as const;

export type IncidentState = (typeof incidentStates)[number];

export const incidentStateName: Record<IncidentState, string> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};
