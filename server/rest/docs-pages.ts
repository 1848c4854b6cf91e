import { readFile } from "node:fs/promises";
import path from "node:path";
import { errorTable } from "../kernel/errors.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { messageFailures, retryDescriptions } from "../kernel/message-failures.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import { errorAdvice } from "./error-advice.ts";

/*
 * The documentation pages are separate from the portal: Swagger UI brings its own scripts and styles, which the
 * portal's content security policy does not allow. Everything is served from here, nothing from another host.
 */

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets style attributes.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const stylesheet = `
:root { color-scheme: light dark; --ink: #1d2a30; --muted: #55646b; --line: #dfe5e7; --canvas: #fafbfb; --surface: #fff; --accent: #0f6674; --code: #eef2f3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eff0; --muted: #a3b0b5; --line: #2a343a; --canvas: #12191c; --surface: #182024; --accent: #6cc7d4; --code: #232d32; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 15px/1.55 ui-sans-serif, system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.top { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: center; padding: 12px 24px; background: var(--surface); border-bottom: 1px solid var(--line); }
.top nav { display: flex; gap: 20px; }
.top strong { font-size: 16px; letter-spacing: -0.01em; margin-right: auto; }
.top a { text-decoration: none; padding: 4px 0; border-bottom: 2px solid transparent; }
.top a[aria-current] { border-color: var(--accent); }
main.prose { max-width: 72rem; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; letter-spacing: -0.02em; margin: 0 0 8px; }
h2 { font-size: 20px; letter-spacing: -0.01em; margin: 40px 0 8px; }
p.lead { color: var(--muted); max-width: 46rem; margin: 0 0 24px; }
main.prose code { font: 13px/1.5 ui-monospace, monospace; background: var(--code); padding: 1px 5px; border-radius: 4px; }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 10px 14px; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: 13px; color: var(--muted); font-weight: 600; }
tbody th { font-weight: 400; white-space: nowrap; }
tr:target { background: color-mix(in srgb, var(--accent) 12%, transparent); }
td.status { font-variant-numeric: tabular-nums; }
@media (max-width: 720px) {
  thead { position: absolute; clip-path: inset(50%); }
  table, tbody, tr, th, td { display: block; }
  tr { padding: 10px 14px; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  tbody th, td { padding: 0; border: 0; white-space: normal; }
  td { margin-top: 2px; }
  td.status::before { content: "Status "; }
  td.again::before { content: "Tried again: "; }
  td:not(.status):last-child { color: var(--muted); }
}
#swagger-ui { background: #fff; color-scheme: light; min-height: 80vh; }
`;

const initializer = `
window.ui = SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  // No address of another host is called, not even to validate the document.
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
});
`;

function page(title: string, current: string, body: string): string {
  const links = [
    ["/docs", "Reference"],
    ["/docs/errors", "Errors"],
    ["/v1/openapi.json", "OpenAPI document"],
  ]
    .map(([href, text]) => `<a href="${href}"${href === current ? ' aria-current="page"' : ""}>${text}</a>`)
    .join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
${current === "/docs" ? '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">' : ""}
</head>
<body>
<header class="top"><strong>Tidings API</strong><nav aria-label="Documentation">${links}</nav></header>
${body}
</body>
</html>
`;
}

function html(text: string): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-cache",
    },
  });
}

/** GET /docs */
export function explorerPage(): Response {
  return html(
    page(
      "Tidings API reference",
      "/docs",
      `<main id="swagger-ui"></main>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/assets/init.js"></script>`,
    ),
  );
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A table of codes, with the code in the first column as the row's anchor. */
function codeTable(label: string, columns: readonly string[], rows: readonly string[]): string {
  return `<div class="table" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody></table></div>`;
}

function errorRow(code: ErrorCode): string {
  const { status, title } = errorTable[code];
  return `<tr id="${code}"><th scope="row"><code>${code}</code></th><td class="status">${status}</td><td>${escapeHtml(title)}.</td><td>${escapeHtml(errorAdvice[code] ?? "")}</td></tr>`;
}

function failureRow(code: FailureCode): string {
  const { title, again } = messageFailures[code];
  return `<tr id="message-${code}"><th scope="row"><code>${code}</code></th><td>${escapeHtml(title)}.</td><td class="again">${retryDescriptions[again]}.</td></tr>`;
}

/** GET /docs/errors; every problem's `type` points at a row of its first table. */
export function errorsPage(): Response {
  const errors = (Object.keys(errorTable) as ErrorCode[]).sort().map(errorRow);
  const failures = (Object.keys(messageFailures) as FailureCode[]).sort().map(failureRow);
  return html(
    page(
      "Errors of the Tidings API",
      "/docs/errors",
      `<main class="prose"><h1>Errors</h1>
<p class="lead">Every error is a problem document (RFC 9457, <code>application/problem+json</code>) with the members <code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>instance</code>, <code>code</code>, <code>requestId</code> and <code>errors</code>. One code always has the same status.</p>
${codeTable("Error codes", ["Code", "Status", "What it means", "What to do"], errors)}
<h2 id="messages">Messages that were not delivered</h2>
<p class="lead">A message that was accepted says why it was not sent or delivered in <code>reason</code> and <code>failure</code>, and so do its events and webhooks. What the provider itself said is in <code>providerCode</code> and <code>providerMessage</code>. After a failed attempt a message is tried again as the last column says, as long as it has time to live.</p>
${codeTable("Codes of messages", ["Code", "What it means", "Tried again"], failures)}</main>`,
    ),
  );
}

const made: Record<string, { type: string; text: string }> = {
  "docs.css": { type: "text/css; charset=utf-8", text: stylesheet },
  "init.js": { type: "text/javascript; charset=utf-8", text: initializer },
};
const packaged: Record<string, string> = {
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
};
const loaded = new Map<string, Buffer<ArrayBuffer>>();

/** GET /docs/assets/{file}: only the files named here exist. */
export async function docsAsset(file: string): Promise<Response> {
  const own = Object.hasOwn(made, file) ? made[file] : undefined;
  const type = own?.type ?? (Object.hasOwn(packaged, file) ? packaged[file] : undefined);
  if (type === undefined)
    return new Response("Not found\n", { status: 404, headers: { "content-type": "text/plain" } });
  const body = own?.text ?? loaded.get(file) ?? (await readPackaged(file));
  return new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
    },
  });
}

async function readPackaged(file: string): Promise<Buffer<ArrayBuffer>> {
  const folder = path.join(process.cwd(), "node_modules", "swagger-ui-dist");
  const bytes = await readFile(/* turbopackIgnore: true */ path.join(folder, file));
  loaded.set(file, bytes);
  return bytes;
}
