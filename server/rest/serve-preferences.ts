import { choosable, choosePreferences, readPreferences } from "../consent/preferences.ts";
import type { Choosable, Preferences } from "../consent/preferences.ts";
import { readUnsubscribeToken } from "../consent/unsubscribe-token.ts";
import { maskAddress } from "../kernel/address.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { escapeHtml } from "../template-language/liquid-engine.ts";
import { readBranding } from "../workspace/read-branding.ts";
import { preferenceTexts } from "../consent/preference-texts.ts";
import type { PreferenceTexts } from "../consent/preference-texts.ts";
import { serveRecipientPage } from "./recipient-page.ts";
import { readForm } from "./read-form.ts";

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
  const of = readUnsubscribeToken(token);
  const words = preferenceTexts(of?.language ?? "");
  const { texts } = words;
  return serveRecipientPage(request, "preferences", words, async (requestId) => {
    if (!of) return null;
    const asked = request.method === "POST" ? await askedFor(request) : null;
    const found = asked
      ? await choosePreferences(deps.db(), of, asked.choice, requestId)
      : await readPreferences(deps.db(), of, requestId);
    if (!found) return null;
    const { logo } = await readBranding({ db: deps.db(), tenantId: of.tenantId });
    const shown = {
      address: maskAddress(of.address),
      logo: logo?.path ?? null,
      said: asked && (asked.oneClick ? texts.unsubscribed : texts.saved),
    };
    return { title: titleOf(texts, found.organisation.name), body: formOf(texts, found, shown) };
  });
}

/** What a POST asks for: one click ends marketing; the form says all. Throws `invalid_request` for anything else. */
async function askedFor(
  request: Request,
): Promise<{ choice: Partial<Record<Choosable, boolean>>; oneClick: boolean }> {
  const sent = await readForm(request);
  if (sent?.get("List-Unsubscribe") === "One-Click") return { choice: { marketing: false }, oneClick: true };
  if (sent?.get("form") !== "preferences") {
    throw new DomainError("invalid_request", "Send List-Unsubscribe=One-Click, or the form of the page.");
  }
  return {
    choice: Object.fromEntries(choosable.map((name) => [name, sent.has(name)])),
    oneClick: false,
  };
}
