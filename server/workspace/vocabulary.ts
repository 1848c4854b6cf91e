import type { LogoKind } from "./schemas.ts";

/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Of a logo: bytes, and pixels of each side. */
export const logoLimits = { bytes: 262_144, pixels: { min: 16, max: 1_024 } } as const;

export interface Logo {
  /** Where anybody gets it, below the service's own address. Another picture has another one. */
  path: string;
  kind: LogoKind;
  width: number;
  height: number;
  bytes: number;
}

/** What is chosen; null: like the product. */
export interface Branding {
  accent: string | null;
  senderName: string | null;
  support: string | null;
  logo: Logo | null;
}

/** What pages show of it. */
export interface BrandMark {
  logo: string | null;
  accent: string | null;
  /** The colour of text on the accent. */
  onAccent: string | null;
}

export const brandMarkOf = ({ accent, logo }: Branding): BrandMark => ({
  logo: logo?.path ?? null,
  accent,
  onAccent: accent === null ? null : textOn(accent),
});

/** Relative luminance of #rrggbb (WCAG 2). */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, each #rrggbb: 1 (none) to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** White where it can be read on the colour (4.5 : 1), black elsewhere, which then can. */
export function textOn(colour: string): "#ffffff" | "#000000" {
  return contrast(colour, "#ffffff") >= 4.5 ? "#ffffff" : "#000000";
}
