import type { EnvironmentKind, Gates } from "./schemas.ts";

/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** The default gates of a new stage: production needs somebody else's approval. */
export function defaultGates(kind: EnvironmentKind): Gates {
  const strict = kind === "production";
  return {
    approvals: strict ? 1 : 0,
    moderation: true,
    whatsappApproval: strict,
    whatsappCategory: false,
    testSend: false,
    humanReview: false,
  };
}

/**
 * Data regions in the terms of customers and providers: one code for each body of data protection law, not for each
 * data centre. `EU` stands for the European Economic Area; the others are ISO 3166 codes, except the customary `UK`.
 * Stored codes that are not in the list stay valid.
 */
export const dataRegions = [
  { code: "EU", name: "European Union and EEA" },
  { code: "CH", name: "Switzerland" },
  { code: "UK", name: "United Kingdom" },
  { code: "US", name: "United States" },
  { code: "CA", name: "Canada" },
  { code: "MX", name: "Mexico" },
  { code: "BR", name: "Brazil" },
  { code: "AU", name: "Australia" },
  { code: "NZ", name: "New Zealand" },
  { code: "IN", name: "India" },
  { code: "SG", name: "Singapore" },
  { code: "JP", name: "Japan" },
  { code: "KR", name: "South Korea" },
  { code: "HK", name: "Hong Kong" },
  { code: "ID", name: "Indonesia" },
  { code: "MY", name: "Malaysia" },
  { code: "TH", name: "Thailand" },
  { code: "AE", name: "United Arab Emirates" },
  { code: "SA", name: "Saudi Arabia" },
  { code: "BH", name: "Bahrain" },
  { code: "IL", name: "Israel" },
  { code: "TR", name: "Türkiye" },
  { code: "ZA", name: "South Africa" },
] as const;

/** "United States (US)"; an unlisted code stays as it is. */
export function regionName(code: string): string {
  const known = dataRegions.find((region) => region.code === code);
  return known ? `${known.name} (${code})` : code;
}
