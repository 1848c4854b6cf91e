/** "de" → "German"; what has no name stays a code. */
export function placeName(type: "language" | "region", code: string): string {
  try {
    return new Intl.DisplayNames("en", { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
