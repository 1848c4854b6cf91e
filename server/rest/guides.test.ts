import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { docsAsset } from "./docs-assets.ts";
import { errorsPage, explorerPage } from "./docs-pages.ts";
import { guideGroups, guideOrder } from "./guide-navigation.ts";
import { guidePage, guidesPage } from "./guide-pages.ts";
import { referencePage, referenceTagPage } from "./reference-pages.ts";
import { guideAddress, renderGuide } from "./render-guide.ts";

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync("docs/**/*.md", { cwd: root }).map((file) =>
  file.slice("docs/".length, -".md".length),
);
const linksIn = (html: string) =>
  [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = ""]) => href);
const idsIn = (html: string) => new Set([...html.matchAll(/\bid="([^"]*)"/g)].map(([, id = ""]) => id));

/** For programs; code-samples.test.ts reads them. */
const served = new Set(["/v1/openapi.json", "/v1/postman.json", "/llms.txt"]);

/** The page at an address of the documentation. */
async function pageAt(address: string): Promise<Response | undefined> {
  if (address === "/docs") return guidesPage();
  if (address === "/docs/errors") return errorsPage();
  if (address === "/docs/explorer") return explorerPage();
  if (address === "/docs/reference") return referencePage();
  const tag = /^\/docs\/reference\/(.+)$/.exec(address)?.[1];
  if (tag !== undefined) return referenceTagPage(tag);
  const guide = /^\/docs\/(.+)$/.exec(address)?.[1];
  return guide === undefined ? undefined : guidePage(guide);
}

describe("the documentation", () => {
  it("has every page under docs/ in its navigation, once, and none that is not there", () => {
    expect(guideOrder.toSorted()).toEqual(files.toSorted());
    expect(new Set(guideOrder).size).toBe(guideOrder.length);
  });

  it("has no guide whose address is that of another page", () => {
    const taken = ["reference", "errors", "explorer", "assets"];
    expect(guideOrder.filter((page) => taken.includes(page.split("/")[0] ?? ""))).toEqual([]);
  });

  it("has only links that lead to a page and a heading that are there", async () => {
    const bodies = new Map<string, string>();
    const read = async (address: string) => {
      const known = bodies.get(address);
      if (known !== undefined) return known;
      const response = await pageAt(address);
      const body = response?.status === 200 ? await response.text() : "";
      bodies.set(address, body);
      return body;
    };
    const starts = [
      "/docs",
      "/docs/errors",
      "/docs/explorer",
      "/docs/reference",
      ...guideOrder.map((page) => `/docs/${page}`),
    ];
    const tags = linksIn(await read("/docs/reference")).filter((href) =>
      /^\/docs\/reference\/[^#]+$/.test(href),
    );
    expect(tags.length).toBeGreaterThan(15);
    const broken: string[] = [];
    for (const start of new Set([...starts, ...tags])) {
      const links = linksIn(await read(start));
      expect(links.length, start).toBeGreaterThan(3);
      for (const href of links) {
        if (/^(?:https?|mailto):/.test(href) || served.has(href)) continue;
        const [address = "", fragment] = href.split("#");
        const body = await read(address === "" ? start : address);
        if (body === "" || (fragment !== undefined && fragment !== "pages" && !idsIn(body).has(fragment)))
          broken.push(`${start}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("shows none of the comments that drive the tests of its pages", async () => {
    for (const page of guideOrder) {
      const body = await (await guidePage(page)).text();
      expect(body, page).not.toMatch(/<!--|&lt;!--|&#x3C;!--/);
    }
  });

  it("is complete without a script, and names every guide at /docs", async () => {
    const response = await guidesPage();
    expect(response.status).toBe(200);
    const body = (await response.text()).replaceAll(/<script\b.*?<\/script>/gs, "");
    const links = linksIn(body);
    for (const page of guideOrder) expect(links).toContain(`/docs/${page}`);
    for (const { title } of guideGroups) expect(body).toContain(`<h2>${title}</h2>`);
  });

  it("loads nothing from another host and runs only our own files", async () => {
    for (const address of ["/docs", "/docs/send", "/docs/errors", "/docs/explorer", "/docs/reference"]) {
      const response = await pageAt(address);
      expect(response?.headers.get("content-security-policy")).toContain("script-src 'self';");
      const body = (await response?.text()) ?? "";
      const loaded = [...body.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]*)"/g)].map(
        ([, to]) => to,
      );
      expect(loaded.length).toBeGreaterThan(1);
      for (const to of loaded) expect(to).toMatch(/^\/(?:docs\/assets\/[\w.-]+|icon\.svg)$/);
      for (const to of loaded.filter((each) => each?.startsWith("/docs/assets/")))
        expect((await docsAsset(to?.slice("/docs/assets/".length) ?? "")).status, to).toBe(200);
      expect(body).not.toMatch(/<script(?![^>]*\bsrc=)/);
    }
  });

  it("serves no other file than the pages of its navigation", async () => {
    for (const page of [
      "../README",
      "../package",
      "nothing",
      "providers",
      "send.md.md",
      "contributing.json",
      "%2e%2e/README",
      "__proto__",
    ])
      expect((await guidePage(page)).status, page).toBe(404);
  });
});

describe("a page's Markdown", () => {
  const render = (markdown: string) => renderGuide("send", markdown).html;

  it("runs nothing that its HTML or links hold", () => {
    const html = render(
      "# A\n\n<script>alert(1)</script>\n\n<!-- starts: x -->\n\na <img src=x onerror=alert(1)> b [c](javascript:alert(1)) ![d](https://evil.example/x.png)",
    );
    expect(html).not.toMatch(/<script|onerror|javascript:|<!--/);
  });

  it("leads from page to page under /docs", () => {
    expect(guideAddress("send", "webhooks.md#verifying")).toBe("/docs/webhooks#verifying");
    expect(guideAddress("providers/twilio", "../failover.md")).toBe("/docs/failover");
    expect(guideAddress("send", "../README.md")).toBeUndefined();
    expect(render("[x](webhooks.md)")).toContain('href="/docs/webhooks"');
  });

  it("has headings that can be linked to, and code that can be copied as it stands", () => {
    const html = render("## Get a key\n\n```sh\na < b && c\n```\n\n| a |\n|---|\n| b |\n");
    expect(html).toContain('id="get-a-key"');
    expect(html).toMatch(
      /<div class="code"><pre[^>]*><code class="language-sh">a &#x3C; b &#x26;&#x26; c\n<\/code>/,
    );
    expect(html).toMatch(/<div class="table"[^>]*><table>/);
  });
});

describe("the API reference", () => {
  it("is in an order of use: sending first, the audit trail last", async () => {
    const body = await referencePage().text();
    const tags = linksIn(body).filter((href) => /^\/docs\/reference\/[^#]+$/.test(href));
    expect(tags[0]).toBe("/docs/reference/notifications");
    expect(tags.at(-1)).toBe("/docs/reference/audit");
    const operations = linksIn(body).filter((href) => href.includes("/notifications#"));
    expect(operations[0]).toBe("/docs/reference/notifications#sendNotifications");
    expect(operations.findIndex((href) => href.endsWith("#cancelNotification"))).toBeGreaterThan(2);
  });

  it("shows what to send, with an example, and which errors to expect", async () => {
    const body = await referenceTagPage("notifications").text();
    expect(body).toContain("<code>recipients[].channel</code>");
    expect(body).toContain("&quot;transactionId&quot;");
    expect(body).toContain('href="/docs/errors#unknown_template"');
  });
});
