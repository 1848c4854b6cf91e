import { escapeUTF8 as escapeHtml } from "entities";

/*
 * What all documentation pages share. They are separate from the portal: Swagger UI brings its own scripts and styles, which the
 * portal's content security policy does not allow. Everything is served from here, nothing from another host, and each page but the
 * explorer is complete without a script.
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

/** The parts of the documentation, for the bar at the top. */
const parts = [
  ["/docs", "Guides"],
  ["/docs/reference", "API reference"],
  ["/docs/explorer", "API explorer"],
  ["/docs/errors", "Errors"],
] as const;

export interface DocsPage {
  title: string;
  part: (typeof parts)[number][0];
  /** HTML of the page's content, without `main`. */
  content: string;
  /** The links at the side. */
  side?: { label: string; groups: readonly LinkGroup[] };
  /** Headings of this page. */
  sections?: readonly { id: string; title: string }[];
  /** HTML at the end of the body and of the head. */
  scripts?: string;
  styles?: string;
}

interface LinkGroup {
  title: string;
  links: readonly { href: string; text: string; current: boolean }[];
}

export { escapeHtml };

function linkList(groups: readonly LinkGroup[]): string {
  return groups
    .map(
      ({ title, links }) =>
        `<h2>${escapeHtml(title)}</h2><ul>${links
          .map(
            ({ href, text, current }) =>
              `<li><a href="${escapeHtml(href)}"${current ? ' aria-current="page"' : ""}>${escapeHtml(text)}</a></li>`,
          )
          .join("")}</ul>`,
    )
    .join("");
}

function contents(sections: DocsPage["sections"]): string {
  if (sections === undefined || sections.length < 2) return "";
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${sections
    .map(({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`)
    .join("")}</ul></nav>`;
}

/** A whole page as a response. */
export function docsPage({ title, part, content, side, sections, scripts, styles }: DocsPage): Response {
  const bar = parts
    .map(([href, text]) => `<a href="${href}"${href === part ? ' aria-current="true"' : ""}>${text}</a>`)
    .join("");
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Tidings docs</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
${styles ?? ""}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/docs">Tidings docs</a>${side ? '<a class="menu" href="#pages">All pages</a>' : ""}<nav aria-label="Documentation">${bar}</nav></header>
<div class="layout${side ? "" : " wide"}">
${side ? `<nav class="side" id="pages" aria-label="${escapeHtml(side.label)}">${linkList(side.groups)}</nav>` : ""}
<main class="prose" id="main">${content}</main>
${contents(sections)}
</div>
${scripts ?? '<script src="/docs/assets/docs.js" defer></script>'}
</body>
</html>
`;
  return new Response(text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    },
  });
}

export function docsNotFound(): Response {
  const page = docsPage({
    title: "Not found",
    part: "/docs",
    content: `<h1>There is no such page</h1><p><a href="/docs">All guides</a></p>`,
  });
  return new Response(page.body, { status: 404, headers: page.headers });
}
