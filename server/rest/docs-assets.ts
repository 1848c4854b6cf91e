import { readFile } from "node:fs/promises";
import path from "node:path";

const stylesheet = `
:root { color-scheme: light dark; --ink: #1d2a30; --muted: #55646b; --line: #dfe5e7; --canvas: #fafbfb; --surface: #fff; --accent: #0f6674; --code: #eef2f3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9eff0; --muted: #a3b0b5; --line: #2a343a; --canvas: #12191c; --surface: #182024; --accent: #6cc7d4; --code: #232d32; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 15px/1.6 ui-sans-serif, system-ui, sans-serif; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 8px; top: 8px; background: var(--surface); padding: 8px 12px; z-index: 1; }
.top { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: center; padding: 12px 24px; background: var(--surface); border-bottom: 1px solid var(--line); }
.top nav { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-left: auto; }
.top .brand { font-size: 16px; font-weight: 600; letter-spacing: -0.01em; color: var(--ink); }
.top a { text-decoration: none; padding: 4px 0; border-bottom: 2px solid transparent; }
.top nav a[aria-current] { border-color: var(--accent); }
.top .menu { display: none; }
.layout { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 13rem; gap: 0 40px; max-width: 84rem; margin: 0 auto; padding: 0 24px; }
.layout.wide { grid-template-columns: minmax(0, 1fr); }
.side, .contents { padding: 32px 0 64px; font-size: 14px; }
.contents { align-self: start; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; grid-column: 3; }
.side h2, .contents h2 { font-size: 12px; letter-spacing: 0; color: var(--muted); margin: 24px 0 6px; }
.side h2:first-child, .contents h2:first-child { margin-top: 0; }
.side ul, .contents ul { list-style: none; margin: 0; padding: 0; }
.side a, .contents a { display: block; padding: 4px 0; color: var(--ink); text-decoration: none; }
.side a:hover, .contents a:hover { color: var(--accent); text-decoration: underline; }
.side a[aria-current] { color: var(--accent); font-weight: 600; }
main.prose { padding: 32px 0 64px; min-width: 0; overflow-wrap: break-word; }
h1 { font-size: 28px; line-height: 1.25; letter-spacing: -0.02em; margin: 0 0 12px; }
h2 { font-size: 20px; line-height: 1.3; letter-spacing: -0.01em; margin: 40px 0 8px; }
h3 { font-size: 16px; line-height: 1.4; margin: 28px 0 6px; }
.prose p, .prose li { max-width: 46rem; }
.prose li { margin: 4px 0; }
.prose .lead { color: var(--muted); font-size: 16px; max-width: 46rem; margin: 0 0 24px; }
.anchor { margin-left: 8px; text-decoration: none; opacity: 0; font-weight: 400; }
:hover > .anchor, .anchor:focus { opacity: 1; }
.prose code { font: 13px/1.5 ui-monospace, monospace; background: var(--code); padding: 1px 5px; border-radius: 4px; }
.code { position: relative; margin: 16px 0; }
.prose pre { margin: 0; padding: 14px 16px; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 8px; }
.prose pre code { padding: 0; background: none; overflow-wrap: normal; }
.code button { position: absolute; top: 8px; right: 8px; padding: 2px 10px; font: 12px/1.6 inherit; font-family: inherit; color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
.table { overflow-x: auto; margin: 16px 0; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.table table { border-collapse: collapse; width: 100%; font-size: 14px; }
.table th, .table td { text-align: left; vertical-align: top; padding: 9px 14px; border-top: 1px solid var(--line); }
.table thead th { border-top: 0; font-size: 13px; color: var(--muted); font-weight: 600; }
.table tbody th { font-weight: 400; white-space: nowrap; }
tr:target { background: color-mix(in srgb, var(--accent) 12%, transparent); }
td.status { font-variant-numeric: tabular-nums; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 16px; margin: 24px 0; padding: 0; list-style: none; }
.cards > section { padding: 16px 20px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.cards h2 { font-size: 15px; margin: 0 0 8px; }
.cards ul { list-style: none; margin: 0; padding: 0; }
.next { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 16px; margin-top: 56px; padding-top: 16px; border-top: 1px solid var(--line); }
.route { display: flex; flex-wrap: wrap; gap: 8px; align-items: baseline; }
.prose .route code { overflow-wrap: anywhere; }
.method { font: 600 12px/1.6 ui-monospace, monospace; padding: 1px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--surface); }
.samples { border: 0; margin: 0; padding: 0; min-width: 0; }
.samples legend, .samples input { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.samples label { display: inline-block; padding: 4px 12px; font-size: 14px; color: var(--muted); border-bottom: 2px solid transparent; cursor: pointer; }
.samples input:checked + label { color: var(--accent); border-color: var(--accent); font-weight: 600; }
.samples input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 3px; }
.samples .code { display: none; margin-top: 8px; }
.samples input:nth-of-type(1):checked ~ .code:nth-of-type(1), .samples input:nth-of-type(2):checked ~ .code:nth-of-type(2), .samples input:nth-of-type(3):checked ~ .code:nth-of-type(3) { display: block; }
.operation { padding-bottom: 24px; border-bottom: 1px solid var(--line); }
details { margin: 12px 0; }
summary { cursor: pointer; }
.soft { color: var(--muted); }
@media (max-width: 1100px) {
  .layout { grid-template-columns: 14rem minmax(0, 1fr); }
  .contents { display: none; }
}
@media (max-width: 760px) {
  .top { padding: 10px 16px; }
  .top nav { margin-left: 0; width: 100%; gap: 4px 16px; font-size: 14px; }
  .top .menu { display: block; margin-left: auto; }
  .layout { grid-template-columns: minmax(0, 1fr); padding: 0 16px; }
  .side { display: none; padding: 16px 0; border-bottom: 1px solid var(--line); }
  .side:target { display: block; }
  .side a { padding: 8px 0; }
  main.prose { padding-top: 20px; }
  .codes thead { position: absolute; clip-path: inset(50%); }
  .codes table, .codes tbody, .codes tr, .codes th, .codes td { display: block; }
  .codes tr { padding: 10px 14px; border-top: 1px solid var(--line); }
  .codes tbody tr:first-child { border-top: 0; }
  .codes tbody th, .codes td { padding: 0; border: 0; white-space: normal; }
  .codes td { margin-top: 2px; }
  .codes td.status::before { content: "Status "; }
  .codes td.again::before { content: "Retried: "; }
  .codes td:not(.status):last-child { color: var(--muted); }
}
@media print { .top, .side, .contents, .next, .code button { display: none; } .layout { display: block; } }
#swagger-ui { min-height: 80vh; }
html:not(.dark-mode) #swagger-ui { color-scheme: light; background: #fff; }
.layout:has(#swagger-ui) { max-width: none; padding: 0; }
.prose:has(#swagger-ui) { padding: 0; }
.prose #swagger-ui :is(p, li) { max-width: none; }
`;

const copyScript = `
for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl+C";
      getSelection().selectAllChildren(block.querySelector("code"));
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}
`;

const explorerScript = `
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);
window.ui = SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
  // No address of another host is called, not even to validate the document.
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
});
`;

const made: Record<string, { type: string; text: string }> = {
  "docs.css": { type: "text/css; charset=utf-8", text: stylesheet },
  "docs.js": { type: "text/javascript; charset=utf-8", text: copyScript },
  "explorer.js": { type: "text/javascript; charset=utf-8", text: explorerScript },
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
