import { FastResponse } from "srvx";
import { choosable, choosePreferences, readPreferences } from "../consent/preferences.ts";
import type { Choosable, Preferences } from "../consent/preferences.ts";
import { readUnsubscribeToken } from "../consent/unsubscribe-token.ts";
import { maskAddress } from "../kernel/address.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError, errorTable } from "../kernel/errors.ts";
import { escapeHtml } from "../template-language/liquid-engine.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { preferenceTexts } from "./preference-texts.ts";
import type { PreferenceTexts } from "./preference-texts.ts";
import { readBytes } from "./read-body.ts";
import { asDomainError, requestIdOf } from "./serve-route.ts";

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
const maxBodyBytes = 16 * 1_024;
const forms = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)(?:;|$)/i;

const style = `:root{color-scheme:light dark;--ink:#1c1b18;--soft:#5f5e58;--line:#d9d8d2;--paper:#fff;--accent:#1c1b18;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#eceae4;--soft:#a5a39b;--line:#3a3935;--paper:#181715;--accent:#eceae4;--on:#181715}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:30rem;padding:2rem 1.5rem}h1{font-size:1.375rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}p{margin:0 0 1rem;color:var(--soft)}
img{display:block;max-width:12.5rem;max-height:3rem;margin:0 0 1.5rem}label{display:flex;gap:.75rem;padding:.75rem 0;border-top:1px solid var(--line);cursor:pointer}
input{width:1.125rem;height:1.125rem;margin:.1875rem 0 0;flex:none;accent-color:var(--accent)}.said{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;color:var(--ink)}
button{font:inherit;font-weight:500;padding:.625rem 1.25rem;border:0;border-radius:.5rem;background:var(--accent);color:var(--on);cursor:pointer}
button:focus-visible,input:focus-visible{outline:2px solid var(--ink);outline-offset:2px}.end{border-top:1px solid var(--line);padding-top:1rem;margin:0 0 1.25rem;font-size:.875rem}`;

function page(
  status: number,
  { language, direction }: Pick<ReturnType<typeof preferenceTexts>, "language" | "direction">,
  title: string,
  body: string,
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

function formOf(
  texts: PreferenceTexts,
  { organisation, wants }: Preferences,
  shown: { address: string; logo: string | null; said: string | null },
): string {
  const boxes = choosable.map(
    (name) =>
      `<label><input type="checkbox" name="${name}"${wants[name] ? " checked" : ""}><span>${escapeHtml(texts[name])}</span></label>`,
  );
  return `${shown.logo === null ? "" : `<img src="${escapeHtml(shown.logo)}" alt="${escapeHtml(organisation.name)}">`}<h1>${escapeHtml(titleOf(texts, organisation.name))}</h1>
<p><bdi>${escapeHtml(shown.address)}</bdi></p>${shown.said === null ? "" : `<p class="said" role="status">${escapeHtml(shown.said)}</p>`}
<form method="post"><input type="hidden" name="form" value="preferences"><p>${escapeHtml(texts.question)}</p>
${boxes.join("\n")}<p class="end">${escapeHtml(texts.always)}</p><button type="submit">${escapeHtml(texts.save)}</button></form>`;
}

const titleOf = (texts: PreferenceTexts, name: string) => texts.title.replace("{}", () => name);

/**
 * The page on which the recipient of an e-mail chooses what they get, known by their link alone, and the address that mail programs
 * post to for one click (RFC 8058). GET and HEAD change nothing, whoever follows the link. A link that is not ours, or whose
 * organisation is gone: 404, without a look into the database where it is not ours.
 */
export async function servePreferences(
  request: Request,
  token: string,
  deps: { db: () => Db },
): Promise<Response> {
  const requestId = requestIdOf(request);
  const headers = { "x-request-id": requestId };
  const of = readUnsubscribeToken(token);
  const words = preferenceTexts(of?.language ?? "");
  const { texts } = words;
  const broken = () =>
    page(
      404,
      words,
      texts.broken,
      `<h1>${escapeHtml(texts.broken)}</h1><p>${escapeHtml(texts.brokenText)}</p>`,
      headers,
    );
  if (!of) return broken();
  try {
    const asked = request.method === "POST" ? await askedFor(request) : null;
    const found = asked
      ? await choosePreferences(deps.db(), of, asked.choice, requestId)
      : await readPreferences(deps.db(), of, requestId);
    if (!found) return broken();
    const { logo } = await readBranding({ db: deps.db(), tenantId: of.tenantId });
    const shown = {
      address: maskAddress(of.address),
      logo: logo?.path ?? null,
      said: asked && (asked.oneClick ? texts.unsubscribed : texts.saved),
    };
    return page(200, words, titleOf(texts, found.organisation.name), formOf(texts, found, shown), headers);
  } catch (error) {
    const known = asDomainError(error, "preferences", requestId);
    if (known.code === "not_found") return broken();
    return page(
      errorTable[known.code].status,
      words,
      texts.later,
      `<h1>${escapeHtml(texts.later)}</h1><p>${escapeHtml(texts.laterText)}</p>`,
      { ...headers, "retry-after": String(known.retryAfter ?? 5) },
    );
  }
}

/** What a POST asks for: one click ends marketing; the form says all. Throws `invalid_request` for anything else. */
async function askedFor(
  request: Request,
): Promise<{ choice: Partial<Record<Choosable, boolean>>; oneClick: boolean }> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBytes(request, maxBodyBytes);
  const sent = forms.test(type)
    ? await new Response(Uint8Array.from(bytes), { headers: { "content-type": type } })
        .formData()
        .catch(() => null)
    : null;
  if (sent?.get("List-Unsubscribe") === "One-Click") return { choice: { marketing: false }, oneClick: true };
  if (sent?.get("form") !== "preferences") {
    throw new DomainError("invalid_request", "Send List-Unsubscribe=One-Click, or the form of the page.");
  }
  return {
    choice: Object.fromEntries(choosable.map((name) => [name, sent.has(name)])),
    oneClick: false,
  };
}
