/** How an organisation looks: what it may be, and what stands on its colour. Browser-safe. */
import { z } from "zod";
import { titleSchema } from "../tenancy/schemas.ts";

/** Of a logo: bytes, and pixels of each side. */
export const logoLimits = { bytes: 262_144, pixels: { min: 16, max: 1_024 } } as const;

export const logoKindSchema = z.enum(["png", "jpeg", "webp"]);
export type LogoKind = z.infer<typeof logoKindSchema>;

const notSupport = "A mail address, or an address that begins with https://";

function isSupport(text: string): boolean {
  if (!text.startsWith("https://")) return z.email().max(254).safeParse(text).success;
  if (/[\s"'<>\\`\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

export const updateBrandingSchema = z.strictObject({
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, { error: "Six hexadecimal digits after #, e.g. #0a7f5a" })
    .transform((accent) => accent.toLowerCase())
    .nullable(),
  senderName: titleSchema.max(80).nullable(),
  support: z.string().trim().max(300).refine(isSupport, { error: notSupport }).nullable(),
});
export type UpdateBrandingInput = z.output<typeof updateBrandingSchema>;

/** A picture as it was uploaded; what it is, is read from its bytes. */
export const setLogoSchema = z.strictObject({
  picture: z
    .base64()
    .min(1)
    .max(Math.ceil(logoLimits.bytes / 3) * 4, { error: "The picture is larger than 256 KiB" }),
});
export type SetLogoInput = z.infer<typeof setLogoSchema>;

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
function luminance(colour: string): number {
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
