import { env } from "../kernel/env.ts";
import { textOn } from "./vocabulary.ts";
import type { Branding } from "./vocabulary.ts";

/** The room for a logo at the head of a mail, in pixels. */
const room = { width: 200, height: 48 };

/** How an organisation looks in the built-in mails, as their variables. What it has not chosen is empty there. */
export function mailBrand({ accent, senderName, support, logo }: Branding): Record<string, string> {
  const scale = logo && Math.min(1, room.width / logo.width, room.height / logo.height);
  const scaled = (pixels: number) => String(Math.max(1, Math.round(pixels * (scale ?? 1))));
  return {
    sender: senderName ?? "",
    logo: logo ? env().publicUrl + logo.path : "",
    logoWidth: logo ? scaled(logo.width) : "",
    logoHeight: logo ? scaled(logo.height) : "",
    accent: accent ?? "",
    onAccent: accent === null ? "" : textOn(accent),
    support: support ?? "",
    supportLink: support === null ? "" : support.startsWith("https://") ? support : `mailto:${support}`,
  };
}
