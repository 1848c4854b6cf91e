/** The text of an answer or a callback: bytes, and what the content type says of them. */

/** The names of what is a text's first bytes in another encoding than UTF-8 (WHATWG Encoding, BOM sniff). */
const marks: readonly [mark: readonly number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
];

/**
 * Decodes by the byte order mark, else by the charset of the content type, else by the XML declaration, else as UTF-8. Never throws:
 * unknown charsets are read as UTF-8, and bytes that are no characters become U+FFFD.
 * @returns the text without its mark
 */
export function decodeText(body: Buffer, contentType: string | undefined): string {
  const marked = marks.find(([mark]) => mark.every((byte, index) => body[index] === byte))?.[1];
  const charset = marked ?? charsetOf(contentType) ?? declaredCharset(body) ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s{0,9}charset\s{0,9}=\s{0,9}"?([\w.:-]{1,40})/i.exec(contentType?.slice(0, 500) ?? "")?.[1];
}

/** XML 1.0, 4.3.3; in ASCII, as everything that could be declared there begins. */
function declaredCharset(body: Buffer): string | undefined {
  const start = body.toString("latin1", 0, 200);
  if (!start.startsWith("<?xml")) return undefined;
  return /\sencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/.exec(start)?.[1];
}
