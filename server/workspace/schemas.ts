/** How an organisation looks: what it may be, and what stands on its colour. Browser-safe. */
import { z } from "zod";
import { titleSchema } from "../tenancy/schemas.ts";
import { logoLimits } from "./vocabulary.ts";

export const logoKindSchema = z.enum(["png", "jpeg", "webp"]);
export type LogoKind = z.infer<typeof logoKindSchema>;

const notSupport = "A mail address, or an address that begins with https://";

function isSupport(text: string): boolean {
  if (!text.startsWith("https://")) return z.email().max(254).safeParse(text).success;
  if (/[\s"'<>\\`\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** What is left out stays. */
export const updateBrandingSchema = z
  .strictObject({
    accent: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, { error: "Six hexadecimal digits after #, e.g. #0a7f5a" })
      .transform((accent) => accent.toLowerCase())
      .nullable(),
    senderName: titleSchema.max(80).nullable(),
    support: z.string().trim().max(300).refine(isSupport, { error: notSupport }).nullable(),
  })
  .partial();
export type UpdateBrandingInput = z.output<typeof updateBrandingSchema>;

/** A picture as it was uploaded; what it is, is read from its bytes. */
export const setLogoSchema = z.strictObject({
  picture: z
    .base64()
    .min(1)
    .max(Math.ceil(logoLimits.bytes / 3) * 4, { error: "The picture is larger than 256 KiB" }),
});
export type SetLogoInput = z.infer<typeof setLogoSchema>;
