/** Longer than any inbox shows. */
const longest = 160;

/**
 * What an inbox shows beside the subject: the first words of the HTML, hidden preheader included, or of the plain text.
 * Parsing runs no script and loads nothing.
 * @param parse whether HTML can be parsed, which only a browser can; the plain text stands in for it
 */
export function inboxSnippet(
  html: string | null | undefined,
  text: string | null | undefined,
  parse: boolean,
): string {
  if (html && parse) {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    for (const unseen of parsed.querySelectorAll("style, script, title, template")) unseen.remove();
    // Elements end words, which textContent does not know.
    const words: string[] = [];
    const walker = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_TEXT);
    let length = 0;
    while (length < longest && walker.nextNode()) {
      const part = clean(walker.currentNode.textContent ?? "");
      if (part !== "") words.push(part);
      length += part.length;
    }
    return words.join(" ").slice(0, longest);
  }
  return clean(text ?? "").slice(0, longest);
}

/** Blanks become one; what mails put behind a preheader to keep the text away from it is invisible anyway. */
function clean(text: string): string {
  return text.replace(/[\s\u00ad\u034f\u200b-\u200f\u2007\ufeff]+/g, " ").trim();
}
