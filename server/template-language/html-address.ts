/** Attributes whose value is an address, of HTML and of MJML. */
const addressNames =
  "action|background|cite|data|formaction|href|longdesc|manifest|poster|src|srcset|url|usemap";
const addressAttribute = new RegExp(`(?:^|[-:])(?:${addressNames})$`, "i");
/** Prefixes of addresses that could be code; values are escaped, so a quote is the template's own. */
const suspicious = new RegExp(
  `[\\s/:-](?:${addressNames})\\s{0,9}=\\s{0,9}["']([\\s\\p{Cc}]{0,99}[jvd&][^"']{0,99})`,
  "giu",
);

export function isAddressAttribute(name: string): boolean {
  return addressAttribute.test(name);
}

/** Whether an attribute's value is an address that runs code or contains a document. */
export function holdsCode(value: string): boolean {
  const plain = value
    .slice(0, 200)
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(colon|tab|newline));?/gi,
      (_, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return name.toLowerCase() === "colon" ? ":" : "";
        const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : "";
      },
    )
    .replace(/[\s\p{Cc}]/gu, "");
  return /^(javascript|vbscript):/i.test(plain) || /^data:(?!image\/(?:png|gif|jpeg|webp)[;,])/i.test(plain);
}

/** Whether rendered HTML has an address that runs code, from a value: the template's own were checked before. */
export function hasCodeAddress(html: string): boolean {
  for (const [, value = ""] of html.matchAll(suspicious)) if (holdsCode(value)) return true;
  return false;
}
