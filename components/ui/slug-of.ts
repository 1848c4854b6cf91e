/** A short name made of a name: "Café Müller & Söhne" → "cafe-muller-sohne". Empty when nothing of it can be used. */
export function slugOf(name: string, longest = 40): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, longest)
    .replace(/-$/, "");
}
