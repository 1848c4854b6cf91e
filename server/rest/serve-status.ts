import { FastResponse } from "srvx";
import type { Db } from "../kernel/db.ts";
import { errorTable } from "../kernel/errors.ts";
import { readPublicStatus } from "../objectives/public-status.ts";
import type { ComponentState, PublicStatus, StatusComponent } from "../objectives/public-status.ts";
import { incidentStateName } from "../objectives/vocabulary.ts";
import type { IncidentView } from "../objectives/schemas.ts";
import { escapeHtml } from "../template-language/liquid-engine.ts";
import { asDomainError, requestIdOf } from "./serve-route.ts";

/** Nothing runs, nothing is loaded from elsewhere, nobody frames it, and it sets no cookie. */
const always = {
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
};

const style = `:root{color-scheme:light dark;--ink:#1c1b18;--soft:#5f5e58;--line:#d9d8d2;--paper:#fff;--good:#2f7d4f;--some:#8f5a00;--bad:#b3362b;--none:#d9d8d2}
@media(prefers-color-scheme:dark){:root{--ink:#eceae4;--soft:#a5a39b;--line:#3a3935;--paper:#181715;--good:#5bb37f;--some:#d9a13b;--bad:#e5776c;--none:#3a3935}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:3rem 1.25rem}img{display:block;max-width:12.5rem;max-height:3rem;margin:0 0 1.5rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1.25rem;overflow-wrap:anywhere}h2{font-size:1.125rem;margin:2.5rem 0 .75rem}h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
p{margin:0}.soft{color:var(--soft);font-size:.875rem}.sum{padding:.875rem 1rem;border:1px solid var(--line);border-inline-start:4px solid currentcolor;border-radius:.5rem;font-weight:600}
.operational{color:var(--good)}.degraded{color:var(--some)}.out{color:var(--bad)}.sum span{color:var(--ink)}
ul{list-style:none;margin:0;padding:0}.parts{border:1px solid var(--line);border-radius:.5rem}.parts>li{padding:.875rem 1rem;border-top:1px solid var(--line)}.parts>li:first-child{border-top:0}
.row{display:flex;justify-content:space-between;gap:1rem}.row b{font-weight:500}.row span{font-size:.875rem;font-weight:500;white-space:nowrap}
.days{display:flex;gap:1px;height:1.75rem;margin:.625rem 0 .25rem}.days i{flex:1;min-width:1px;border-radius:1px;background:var(--none)}.days .operational{background:var(--good)}.days .degraded{background:var(--some)}.days .out{background:var(--bad)}
.incident{padding:1rem 0;border-top:1px solid var(--line)}.incident li{margin-top:.75rem;overflow-wrap:anywhere;white-space:pre-line}footer{margin-top:2.5rem}`;

function page(status: number, title: string, body: string, headers: Record<string, string>): Response {
  return new FastResponse(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>
`,
    { status, headers: { ...always, ...headers } },
  );
}

const partName: Record<StatusComponent["part"], string> = {
  requests: "Accepting messages",
  codes: "One-time codes",
  sms: "SMS",
  email: "E-mail",
  whatsapp: "WhatsApp",
};
const stateName: Record<ComponentState, string> = {
  operational: "Operational",
  degraded: "Degraded",
  out: "Outage",
};

const timeOf = (at: string) => `<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`;
/** Rounded down, so that no miss is rounded away; the rest is what binary fractions leave. */
const percent = (share: number) => `${String(Math.floor(share * 100_000 + 1e-6) / 1_000)}%`;

function partOf({ part, state, days }: StatusComponent): string {
  const head = `<div class="row"><b>${partName[part]}</b><span class="${state}">${stateName[state]}</span></div>`;
  if (!days) return `<li>${head}</li>`;
  const bars = days.map(({ day, state: of, share }) => {
    const said = of === "nothing" ? "no data" : stateName[of].toLowerCase();
    return `<i class="${of}" title="${day}: ${said}${share === null ? "" : `, ${percent(share)}`}"></i>`;
  });
  const troubled = days.filter((each) => each.state === "degraded" || each.state === "out").length;
  const said =
    troubled === 0
      ? "no days with problems"
      : `${String(troubled)} ${troubled === 1 ? "day" : "days"} with problems`;
  const known = days.filter((each) => each.share !== null);
  const worst = known.reduce<(typeof known)[number] | null>(
    (low, each) => ((low?.share ?? 1) <= (each.share ?? 1) ? low : each),
    null,
  );
  const figures = worst?.share == null ? "" : ` · worst day ${worst.day}: ${percent(worst.share)}`;
  return `<li>${head}<div class="days" role="img" aria-label="The last ${String(days.length)} days: ${said}">${bars.join("")}</div>
<div class="row soft"><p>${String(days.length)} days ago</p><p>${said}${figures}</p><p>Today</p></div></li>`;
}

function incidentOf({ title, state, beganAt, updates }: IncidentView): string {
  const told = updates.map(
    (update) =>
      `<li><b>${incidentStateName[update.state]}</b> · <span class="soft">${timeOf(update.at)}</span><br>${escapeHtml(update.text)}</li>`,
  );
  return `<li class="incident"><h3>${escapeHtml(title)}</h3><p class="soft">${incidentStateName[state]} · since ${timeOf(beganAt)}</p><ul>${told.join("")}</ul></li>`;
}

function bodyOf({ organisation, logo, components, incidents, at }: PublicStatus): string {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const over = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  const worst: ComponentState = components.some(({ state }) => state === "out")
    ? "out"
    : components.some(({ state }) => state === "degraded") || open.length > 0
      ? "degraded"
      : "operational";
  const sum = {
    operational: "All systems operational",
    degraded: open.length > 0 ? "There is an incident" : "Some services are degraded",
    out: "There is an outage",
  }[worst];
  return `${logo === null ? "" : `<img src="${escapeHtml(logo)}" alt="">`}<h1>${escapeHtml(organisation)}: status</h1>
<p class="sum ${worst}"><span>${sum}</span></p>
${open.length === 0 ? "" : `<h2>Now</h2><ul>${open.map(incidentOf).join("")}</ul>`}
<h2>Services</h2><ul class="parts">${components.map(partOf).join("")}</ul>
<h2>Past incidents</h2>${over.length === 0 ? '<p class="soft">None in the last 90 days.</p>' : `<ul>${over.map(incidentOf).join("")}</ul>`}
<footer class="soft"><p>As of ${timeOf(at)}. Days are in UTC. Days without data are grey.</p></footer>`;
}

/** Written once for each time that the status is read: whoever asks often costs nothing. */
const bodies = new WeakMap<PublicStatus, string>();

/**
 * The public status page of an organisation, for whoever has its address: at most ten seconds old when it leaves, and read from the
 * database no more often than that. One that does not exist, or is not published, is not found.
 */
export async function serveStatus(request: Request, slug: string, deps: { db: () => Db }): Promise<Response> {
  const requestId = requestIdOf(request);
  const headers = { "x-request-id": requestId };
  try {
    const status = await readPublicStatus(deps.db(), slug);
    if (!status) {
      return page(404, "No status page", "<h1>Status page not found</h1><p>Check the address.</p>", {
        ...headers,
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
      });
    }
    let body = bodies.get(status);
    if (body === undefined) bodies.set(status, (body = bodyOf(status)));
    return page(200, `${status.organisation}: status`, body, {
      ...headers,
      "cache-control": "public, max-age=10",
    });
  } catch (error) {
    const known = asDomainError(error, "status", requestId);
    return page(
      known.code === "not_found" ? 404 : errorTable[known.code].status,
      "Please try again",
      "<h1>Please try again</h1><p>The status can't be loaded at the moment.</p>",
      { ...headers, "cache-control": "no-store", "retry-after": String(known.retryAfter ?? 10) },
    );
  }
}
