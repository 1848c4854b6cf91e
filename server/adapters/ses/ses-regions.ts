/** Where an AWS region processes, as a country or "EU". A region that is not here does not say. */
const BY_REGION: Record<string, string> = {
  "af-south-1": "ZA",
  "ap-northeast-1": "JP",
  "ap-northeast-2": "KR",
  "ap-northeast-3": "JP",
  "ap-south-1": "IN",
  "ap-south-2": "IN",
  "ap-southeast-1": "SG",
  "ap-southeast-2": "AU",
  "ap-southeast-3": "ID",
  "ap-southeast-5": "MY",
  // London and Zurich are in Europe, not in the European Union.
  "eu-west-2": "GB",
  "eu-central-2": "CH",
  "il-central-1": "IL",
  "me-central-1": "AE",
  "me-south-1": "BH",
  "sa-east-1": "BR",
};

export function sesRegion(region: string): string | null {
  const known = Object.hasOwn(BY_REGION, region) ? BY_REGION[region] : undefined;
  if (known !== undefined) return known;
  if (region.startsWith("eu-")) return "EU";
  if (region.startsWith("us-")) return "US";
  return region.startsWith("ca-") ? "CA" : null;
}
