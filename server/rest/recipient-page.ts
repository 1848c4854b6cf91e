import { FastResponse } from "srvx";
import type { preferenceTexts } from "../consent/preference-texts.ts";
import { errorTable } from "../kernel/errors.ts";
import { escapeHtml } from "../template-language/liquid-engine.ts";
import { asDomainError, requestIdOf } from "./serve-route.ts";

type Words = ReturnType<typeof preferenceTexts>;

/** The page is not cached or indexed, and nobody learns its address from it. */
const always = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};
const style = `:root{color-scheme:light dark;--ink:#1c1b18;--soft:#5f5e58;--line:#d9d8d2;--paper:#fff;--accent:#1c1b18;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#eceae4;--soft:#a5a39b;--line:#3a3935;--paper:#181715;--accent:#eceae4;--on:#181715}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
a{color:inherit}main{width:100%;max-width:30rem;padding:2rem 1.5rem}h1{font-size:1.375rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}p{margin:0 0 1rem;color:var(--soft)}
img{display:block;max-width:12.5rem;max-height:3rem;margin:0 0 1.5rem}label{display:flex;gap:.75rem;padding:.75rem 0;border-top:1px solid var(--line);cursor:pointer}
input{width:1.125rem;height:1.125rem;margin:.1875rem 0 0;flex:none;accent-color:var(--accent)}.said{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;color:var(--ink)}
button{font:inherit;font-weight:500;padding:.625rem 1.25rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--on);cursor:pointer}
button:focus-visible,input:focus-visible{outline:2px solid var(--ink);outline-offset:2px}.end{border-top:1px solid var(--line);padding-top:1rem;margin:0 0 1.25rem;font-size:.875rem}`;

/**
 * Serves a page for the recipient of a message, who is known by a link alone: without scripts, and nothing of it leads elsewhere.
 * @param name of the page, for the log
 * @param read title and body, in HTML; null where the link is none of ours or leads nowhere any more: 404
 */
export async function serveRecipientPage(
  request: Request,
  name: string,
  words: Words,
  read: (requestId: string) => Promise<{ title: string; body: string } | null>,
): Promise<Response> {
  const requestId = requestIdOf(request);
  const headers = { "x-request-id": requestId };
  const { texts } = words;
  const plain = (status: number, title: string, text: string, more: Record<string, string> = {}) => {
    const body = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`;
    return page(status, words, { title, body }, { ...headers, ...more });
  };
  const broken = () => plain(404, texts.broken, texts.brokenText);
  try {
    const found = await read(requestId);
    return found ? page(200, words, found, headers) : broken();
  } catch (error) {
    const known = asDomainError(error, name, requestId);
    if (known.code === "not_found") return broken();
    return plain(errorTable[known.code].status, texts.later, texts.laterText, {
      "retry-after": String(known.retryAfter ?? 5),
    });
  }
}

function page(
  status: number,
  { language, direction }: Words,
  { title, body }: { title: string; body: string },
  headers: Record<string, string>,
): Response {
  return new FastResponse(
    `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>
`,
    { status, headers: { ...always, ...headers } },
  );
}
