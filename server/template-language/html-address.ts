/** Attributes whose value is an address, of HTML and of MJML. */
const addressNames =
  "action|background|cite|data|formaction|href|longdesc|manifest|poster|src|srcset|url|usemap";
const addressAttribute = new RegExp(`(?:^|[-:])(?:${addressNames})$`, "i");
/** Prefixes of addresses that could be code; values are escaped, so a quote is the template's own. */
const suspicious = new RegExp(`[\\s/:"'-](?:${addressNames})\\s*=\\s*["'][\\s\\p{Cc}]*([jvd&][^"']*)`, "giu");
const blanks = /[\s\p{Cc}]+/gu;
/** More than what is looked for, in characters. */
const beginningLength = 40;

export function isAddressAttribute(name: string): boolean {
  return addressAttribute.test(name);
}

/** Whether an attribute's value is an address that runs code or contains a document. */
export function holdsCode(value: string): boolean {
  const plain = beginningOf(value);
  return /^(javascript|vbscript):/i.test(plain) || /^data:(?!image\/(?:png|gif|jpeg|webp)[;,])/i.test(plain);
}

/** What an address begins with to a browser: entities are characters, and any number of blanks and control characters nothing. */
function beginningOf(value: string): string {
  const written = value.replace(blanks, "");
  let plain = "";
  for (const [char, hex, decimal, name] of written.matchAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(colon|tab|newline));?|[^]/gi,
  )) {
    plain += decoded(char, hex, decimal, name).replace(blanks, "");
    if (plain.length >= beginningLength) break;
  }
  return plain;
}

function decoded(char: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return name.toLowerCase() === "colon" ? ":" : "";
  if (hex === undefined && decimal === undefined) return char;
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Whether rendered HTML has an address that runs code, from a value: the template's own were checked before. */
export function hasCodeAddress(html: string): boolean {
  for (const [, value = ""] of html.matchAll(suspicious)) if (holdsCode(value)) return true;
  return false;
}
