import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import { accessOf, mayOpen } from "../components/layout/page-access.ts";

/* Every address below an organisation's, read from the folders of app/: who may not see it is told nothing, by page or by source. */

const folder = path.resolve(import.meta.dirname, "../app/(portal)/[tenant]");

/** What stands in the address for something of the organisation. */
const somethings: Record<string, string> = {
  "[id]": "01890a5d-ac96-774b-bcce-b302099a8057",
  "[application]": "webshop",
  "[name]": "order_status",
  "[month]": "2026-11",
  "[...rest]": "no-such-page",
};

/** The addresses of the pages and files of an organisation, with `slug` for it. */
function addressesOf(slug: string): { address: string; isFile: boolean }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /^(page\.tsx|route\.ts)$/.test(path.basename(file)))
    .sort()
    .map((file) => ({
      isFile: path.basename(file) === "route.ts",
      address: ["", slug, ...path.dirname(file).split(path.sep)]
        .filter((part) => part !== ".")
        .map((part) => somethings[part] ?? part)
        .join("/"),
    }));
}

interface Seen {
  status: number;
  location: string | undefined;
  text: string;
}
async function get(of: APIRequestContext, url: string, headers: Record<string, string> = {}): Promise<Seen> {
  const answer = await of.get(url, { maxRedirects: 0, headers, timeout: 60_000 });
  return { status: answer.status(), location: answer.headers().location, text: await answer.text() };
}

/** What a page shows, without what is another at each load, and without the short name that the address has. */
const shown = ({ text }: Seen, slug: string): string =>
  text
    .replaceAll(/<(script|style)\b.*?<\/\1>/gs, "")
    .replaceAll(/<link\b[^>]*>/g, "")
    .replaceAll(/ nonce="[^"]*"/g, "")
    .replaceAll(slug, "…");

/**
 * Asks for each as nobody and as a member of another organisation, who is told what somebody is who asks for one that does not exist.
 * @param canaries names of things of the organisation, which none of the answers may hold
 */
export async function checkPages(
  base: string,
  slug: string,
  as: { nobody: APIRequestContext; stranger: APIRequestContext },
  canaries: readonly string[],
): Promise<void> {
  const addresses = addressesOf(slug);
  expect(addresses.length).toBeGreaterThan(40);
  const unknown = "nosuchplace";
  const keepsQuiet = (seen: Seen, what: string) => {
    for (const canary of canaries) expect(seen.text, what).not.toContain(canary);
  };
  for (const { address, isFile } of addresses) {
    const nobody = await get(as.nobody, base + address);
    keepsQuiet(nobody, `${address} as nobody`);
    if (isFile) expect(nobody.status, address).toBe(401);
    else
      expect(`${String(nobody.status)} ${nobody.location ?? ""}`, address).toMatch(
        /^307 .*\/sign-in\?callbackUrl=/,
      );

    const stranger = await get(as.stranger, base + address);
    const nowhere = await get(as.stranger, base + address.replace(`/${slug}`, `/${unknown}`));
    keepsQuiet(stranger, `${address} as a stranger`);
    expect(stranger.status, address).toBe(nowhere.status);
    // A page that leads to another one of the organisation does so for all of them, there or not.
    expect(stranger.location?.replaceAll(slug, unknown), address).toBe(nowhere.location);
    if (stranger.location === undefined && !isFile) expect(stranger.status, address).toBe(404);
    else expect(stranger.location ?? "", address).not.toContain("/sign-in");
    expect(stranger.status, address).toBeGreaterThanOrEqual(300);
    expect(shown(stranger, slug), address).toBe(shown(nowhere, unknown));
    // What the router asks for when it leads from page to page.
    keepsQuiet(await get(as.stranger, base + address, { RSC: "1" }), `${address} as data`);
  }
}

/**
 * Opens each page as somebody with these permissions in the whole organisation: those that need others say so and show no form, and
 * none of the rest greets them with an error.
 */
export async function checkRole(page: Page, slug: string, permissions: readonly string[]): Promise<number> {
  const reader = { permissions, permissionsByUnit: [{ unitId: null, permissions }] };
  let refused = 0;
  for (const { address, isFile } of addressesOf(slug)) {
    if (isFile) continue;
    await page.goto(address);
    // Some lead on to another.
    const access = accessOf(new URL(page.url()).pathname.slice(slug.length + 1));
    await expect(page.getByRole("heading").first(), address).toBeVisible();
    const told = page.getByText(/^You don't have access to /);
    if (access && mayOpen(access, reader)) {
      await expect(told, address).toHaveCount(0);
    } else if (access) {
      refused++;
      await expect(told, address).toHaveText(`You don't have access to ${access.what}`);
      await expect(page.locator("main form"), address).toHaveCount(0);
    }
    await expect(page.locator("[data-sonner-toast][data-type=error]"), address).toHaveCount(0);
  }
  return refused;
}
