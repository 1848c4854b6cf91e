import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { env } from "../kernel/env.ts";
import { docsNotFound, docsPage, escapeHtml } from "./docs-frame.ts";
import type { DocsPage } from "./docs-frame.ts";
import { guideGroups, guideOrder } from "./guide-navigation.ts";
import { renderGuide } from "./render-guide.ts";
import type { RenderedGuide } from "./render-guide.ts";

const fileOf = (page: string) => path.join(/* turbopackIgnore: true */ process.cwd(), "docs", `${page}.md`);

const rendered = new Map<string, { changed: number; guide: RenderedGuide }>();

/** A page as it is in its file now; rendered once for each state of the file. */
async function readGuide(page: string): Promise<RenderedGuide> {
  const { mtimeMs } = await stat(fileOf(page));
  const known = rendered.get(page);
  if (known?.changed === mtimeMs) return known.guide;
  const guide = renderGuide(page, await readFile(fileOf(page), "utf8"));
  rendered.set(page, { changed: mtimeMs, guide });
  return guide;
}

let titles: Promise<ReadonlyMap<string, string>> | undefined;

/** The first headings of all pages, read once. */
function titlesOfAll(): Promise<ReadonlyMap<string, string>> {
  return (titles ??= readTitles().catch((error: unknown) => {
    // The next page tries again.
    titles = undefined;
    throw error;
  }));
}

async function readTitles(): Promise<ReadonlyMap<string, string>> {
  const found = guideOrder.map(async (page) => {
    const [first = ""] = (await readFile(fileOf(page), "utf8")).split("\n", 1);
    return [page, first.replace(/^# /, "").replaceAll("`", "")] as const;
  });
  return new Map(await Promise.all(found));
}

/** A guide as it was written, without the comments that only its test reads. */
async function guideText(page: string): Promise<string> {
  const text = await readFile(fileOf(page), "utf8");
  const pieces: string[] = [];
  for (let at = 0; ;) {
    const start = text.indexOf("<!--", at);
    const end = start < 0 ? -1 : text.indexOf("-->", start);
    if (end < 0) return pieces.join("") + text.slice(at);
    pieces.push(text.slice(at, start));
    at = end + (text[end + 3] === "\n" ? 4 : 3);
  }
}

/** GET /llms.txt: what there is to read, for programs that read instead of people (llmstxt.org). */
export async function llmsText(): Promise<string> {
  const names = await titlesOfAll();
  const { publicUrl } = env();
  const link = (text: string, to: string, about?: string) =>
    `- [${text}](${publicUrl}${to})${about === undefined ? "" : `: ${about}`}`;
  const guides = guideGroups.flatMap(({ title, pages }) => [
    `## ${title}\n`,
    ...pages.map((page) => link(names.get(page) ?? page, `/docs/${page}.md`)),
    "",
  ]);
  return [
    "# Tidings\n",
    "> One API that sends SMS, e-mail and WhatsApp messages through the providers that you have chosen, and a portal to follow them.\n",
    "Authenticate with `Authorization: Bearer <API key>`. Send with `POST /api/app/notifications/send`; `POST /v1/notifications/explain` takes the same body and says what would happen without sending.\n",
    "## Reference\n",
    link("OpenAPI document", "/v1/openapi.json", "every operation, schema and error"),
    link("MCP server", "/mcp", "the same operations as tools for agents; described in the guide on MCP"),
    link("Postman collection", "/v1/postman.json"),
    link("Error codes", "/docs/errors"),
    "",
    ...guides,
  ].join("\n");
}

async function sideLinks(current: string | null): Promise<NonNullable<DocsPage["side"]>> {
  const names = await titlesOfAll();
  return {
    label: "Guides",
    groups: guideGroups.map(({ title, pages }) => ({
      title,
      links: pages.map((page) => ({
        href: `/docs/${page}`,
        text: names.get(page) ?? page,
        current: page === current,
      })),
    })),
  };
}

/** GET /docs: where to begin, and all guides. */
export async function guidesPage(): Promise<Response> {
  const side = await sideLinks(null);
  const cards = side.groups.map(
    ({ title, links }) =>
      `<section><h2>${escapeHtml(title)}</h2><ul>${links
        .map(({ href, text }) => `<li><a href="${href}">${escapeHtml(text)}</a></li>`)
        .join("")}</ul></section>`,
  );
  return docsPage({
    title: "Guides",
    part: "/docs",
    content: `<h1>Tidings documentation</h1>
<p class="lead">Send SMS, e-mail and WhatsApp messages through one API. New here? <a href="/docs/send">Send your first message</a>, then write your own template, listen to webhooks and go live.</p>
<p>Programs read <a href="/llms.txt">/llms.txt</a> and each guide as Markdown, with <code>.md</code> after its address.</p>
<div class="cards">${cards.join("")}</div>`,
  });
}

function neighbours(page: string, side: NonNullable<DocsPage["side"]>): string {
  const links = side.groups.flatMap((group) => group.links);
  const at = links.findIndex(({ href }) => href === `/docs/${page}`);
  const link = (label: string, to: (typeof links)[number] | undefined) =>
    to === undefined ? "" : `<a href="${to.href}">${label}: ${escapeHtml(to.text)}</a>`;
  return `<nav class="next" aria-label="Previous and next page"><span>${link("Previous", links[at - 1])}</span><span>${link("Next", links[at + 1])}</span></nav>`;
}

/** GET /docs/{page}: only pages of the navigation exist; with `.md` after the name, as they were written. */
export async function guidePage(page: string): Promise<Response> {
  const source = page.endsWith(".md") ? page.slice(0, -".md".length) : undefined;
  if (source !== undefined && guideOrder.includes(source))
    return new Response(await guideText(source), {
      headers: {
        "content-type": "text/markdown; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
      },
    });
  if (!guideOrder.includes(page)) return docsNotFound();
  const [guide, side] = await Promise.all([readGuide(page), sideLinks(page)]);
  return docsPage({
    title: guide.title,
    part: "/docs",
    side,
    sections: guide.sections,
    content: guide.html + neighbours(page, side),
  });
}
