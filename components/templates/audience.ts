/** For whom a template is, in words: "DE, de" or "any region and language". */
export function audienceText(template: {
  region: string | null;
  language: string | null;
  provider: string | null;
}): string {
  const parts = [
    template.region ? `region ${template.region}` : null,
    template.language ? `language ${template.language}` : null,
    template.provider ? `through ${template.provider}` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : "anyone";
}
