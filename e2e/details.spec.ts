/** What is the same on every page: where the focus is, what is said when something is missing, how text and time are written. */
import { expect, test, type APIRequestContext, type Page } from "@playwright/test";
import { expectListening } from "./accessible.ts";
import { api, send, signIn } from "./quickstart.ts";

const overview = "/acme/overview?env=production";

/** Waits until the page listens: before, its fields and buttons are held back. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
  await expectListening(page);
}

/** One thing of each kind that has a page of its own, with what its page is named after. */
async function things(request: APIRequestContext): Promise<{ address: string; name: string }[]> {
  const first = async (list: string) =>
    (await api<{ data: Record<string, string>[] }>(request, "GET", list)).body.data[0] ?? {};
  const to = `title-${String(Date.now())}@example.com`;
  const sent = await send(request, { recipients: [{ channel: "email", recipient: to }] });
  const message = sent.body.notifications[0]?.notificationId ?? "";
  const [provider, rule, template] = await Promise.all([
    first("/v1/providers"),
    first("/v1/routing-rules"),
    first("/v1/templates"),
  ]);
  return [
    { address: `messages/${message}`, name: to },
    { address: `messages/${message}`, name: message },
    { address: `providers/${provider.id ?? ""}`, name: provider.name ?? "?" },
    { address: `providers/${provider.id ?? ""}/edit`, name: provider.name ?? "?" },
    { address: `routing/rules/${rule.id ?? ""}`, name: rule.name ?? "?" },
    { address: `templates/${template.id ?? ""}`, name: template.name ?? "?" },
    { address: `templates/${template.id ?? ""}/edit`, name: template.name ?? "?" },
    { address: "templates/by-name/webshop/order-status", name: "order-status" },
    { address: "costs/statement/2026-11", name: "November 2026" },
  ];
}

test("the title of each page names what it shows, and no two pages have the same", async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  await signIn(page);
  const titles = new Map<string, string>();
  for (const { address, name } of await things(request)) {
    await page.goto(`/acme/${address}`);
    await expect(page, address).toHaveTitle(new RegExp(name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    // React takes over the title that the page was sent with, and puts its text back, whenever it gets to it.
    await page.evaluate(() => {
      for (const title of document.head.querySelectorAll("title")) title.textContent = "Sent with the page";
    });
    await expect(page, address).not.toHaveTitle("Sent with the page");
  }
  const lists = ["overview", "messages", "send", "templates", "pipeline", "providers", "routing", "health"];
  const more = [
    "webhooks",
    "api-keys",
    "members",
    "roles",
    "audit",
    "settings",
    "sandbox",
    "mailbox",
    "costs",
  ];
  for (const address of [...lists, ...more]) {
    await open(page, `/acme/${address}`);
    const title = await page.title();
    expect(title, address).toMatch(/ · Tidings$/);
    expect(titles.get(title), `${address} is called “${title}”`).toBeUndefined();
    titles.set(title, address);
  }
});

test("closing a dialog, a panel or ⌘K gives the focus back to what opened it", async ({ page, request }) => {
  await send(request);
  await signIn(page);
  const closes = async (what: string) => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog"), what).toHaveCount(0);
  };

  await open(page, "/acme/webhooks?env=sandbox");
  const add = page.getByRole("button", { name: "Add endpoint" }).first();
  await add.click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await closes("a dialog");
  await expect(add).toBeFocused();

  await open(page, "/acme/messages?env=production&range=all");
  const row = page.getByRole("row").nth(1);
  const message = row.getByRole("link").first();
  await message.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await closes("a panel");
  await expect(message).toBeFocused();
  // The row opens wherever it is clicked.
  await row.getByRole("cell").last().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await closes("a panel by a row");
  await expect(message).toBeFocused();

  const search = page.getByRole("button", { name: /^Search/ }).first();
  await search.click();
  await expect(page.getByRole("dialog", { name: "Search and jump" })).toBeVisible();
  await closes("the palette by its button");
  await expect(search).toBeFocused();
  await message.focus();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search and jump" })).toBeVisible();
  await closes("the palette by its key");
  await expect(message).toBeFocused();

  // By the item of a menu, which is gone when the dialog closes.
  const menu = page.getByRole("button", { name: /^Account: / });
  await menu.click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await closes("a dialog from a menu");
  await expect(menu).toBeFocused();
});

test("a page says that the browser is offline while it is, and goes on by itself", async ({ page }) => {
  await signIn(page);
  await open(page, overview);
  const banner = page.getByText("You’re offline. What you see may be out of date.");
  await expect(banner).toHaveCount(0);
  await page.context().setOffline(true);
  await expect(banner).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
  await page.context().setOffline(false);
  const fresh = page.waitForResponse((response) => response.url().includes("insights.overview"));
  await expect(banner).toHaveCount(0);
  expect((await fresh).ok()).toBe(true);
});

test("behind a dialog no key does anything, and once it is closed every key does again", async ({ page }) => {
  await signIn(page);
  await open(page, "/acme/api-keys");
  await page.getByRole("button", { name: "Create API key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create API key" });
  // Not in a field, where keys are text.
  await dialog.getByRole("button", { name: "Cancel" }).focus();
  for (const key of ["g", "m", "?", "Control+k"]) await page.keyboard.press(key);
  await expect(dialog).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(page).toHaveURL(/\/acme\/api-keys/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search and jump" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(page).toHaveURL(/\/acme\/messages/);
});

test("another environment leads from one message to the list of messages there, and on a list closes what is open", async ({
  page,
  request,
}) => {
  const sent = await send(request, {}, "sandbox");
  const id = sent.body.notifications[0]?.notificationId ?? "";
  const switchTo = async (name: RegExp) => {
    await page.getByRole("button", { name: /^Environment: / }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await signIn(page);
  // Under its own environment, whatever the address says.
  await open(page, `/acme/messages/${id}?env=production`);
  await expect(page.getByRole("button", { name: "Environment: Sandbox" })).toBeVisible();
  await switchTo(/^Production/);
  await expect(page).toHaveURL(/\/acme\/messages\?(.*&)?env=production/);
  await expect(page.getByRole("button", { name: "Environment: Production" })).toBeVisible();

  await open(page, `/acme/messages?env=sandbox&open=${id}`);
  await expect(page.getByRole("dialog")).toBeVisible();
  await switchTo(/^Production/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/acme\/messages\?(.*&)?env=production/);
  await expect(page).not.toHaveURL(/[?&]open=/);
});

test("an address where nothing is says so in a heading and leads back, outside and inside the portal", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Go to the portal" })).toHaveAttribute("href", "/");
  const answer = await page.goto("/acme/no-such-page");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await expect(page).toHaveTitle(/^Page not found/);
  await page.getByRole("link", { name: "Go to Overview" }).click();
  await expect(page).toHaveURL(/\/acme\/overview/);
  // Of something that is gone, or another team's: the page itself says so, and the browser does not ask again.
  const gone = "/acme/messages/01890a5d-ac96-774b-bcce-b302099a8057";
  expect(await (await page.request.get(gone)).text()).toContain("find this message</");
  const asked: string[] = [];
  page.on("request", (each) => each.url().includes("notifications.timeline") && asked.push(each.url()));
  await page.goto(gone);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Can't find this message" })).toBeVisible();
  expect(asked).toEqual([]);
  await page.getByRole("button", { name: "Go back" }).click();
  await expect(page).toHaveURL(/\/acme\/overview/);
});

test("the pages of the sandbox are under the sandbox's colour, whichever environment is chosen", async ({
  page,
}) => {
  await signIn(page);
  const edge = page.locator(".env-edge-sandbox");
  for (const address of ["sandbox?env=production", "mailbox?env=production", "overview?env=sandbox"]) {
    await open(page, `/acme/${address}`);
    await expect(edge, address).toHaveCount(1);
  }
  await open(page, overview);
  await expect(edge).toHaveCount(0);
});

test("text is shown as it is: no font makes a multiplication sign of an x between digits", async ({
  page,
}) => {
  await signIn(page);
  await open(page, overview);
  const widths = await page.evaluate(() => {
    const width = (tag: string, style: string) => {
      const element = document.createElement(tag);
      element.style.cssText = `position: absolute; white-space: pre; font-size: 100px; ${style}`;
      element.textContent = "13x447 -> 4x4";
      document.querySelector("main")?.append(element);
      const found = element.getBoundingClientRect().width;
      element.remove();
      return found;
    };
    return ["span", "code", "button", "textarea"].map((tag) => ({
      tag,
      ligatures: getComputedStyle(document.querySelector(tag) ?? document.body).fontVariantLigatures,
      shown: width(tag, ""),
      off: width(tag, 'font-feature-settings: "cv05", "cv11", "ss03", "calt" 0'),
      on: width(tag, "font-variant-ligatures: contextual"),
    }));
  });
  for (const { tag, shown, off } of widths.filter(({ tag }) => tag === "span")) expect(shown, tag).toBe(off);
  // The font would do so.
  expect(widths[0]?.on).not.toBe(widths[0]?.off);
  const all = await page.evaluate(() =>
    [...document.querySelectorAll("body *")].map((each) => getComputedStyle(each).fontVariantLigatures),
  );
  expect(new Set(all)).toEqual(new Set(["no-contextual"]));
});

test("an emoji has a glyph also where the machine has none, and its font is loaded only then", async ({
  page,
}) => {
  await signIn(page);
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".woff2")) fonts.push(request.url());
  });
  await open(page, overview);
  const emoji = () =>
    page.evaluate(async () => {
      const shown = document.createElement("p");
      shown.style.fontFamily = `"Noto Emoji Variable"`;
      shown.textContent = "📦";
      document.querySelector("main")?.append(shown);
      await document.fonts.ready;
      return [...document.fonts].filter(
        ({ family, status }) => family.includes("Noto Emoji") && status === "loaded",
      ).length;
    });
  expect(fonts.filter((url) => url.includes("emoji"))).toEqual([]);
  expect(await emoji()).toBe(1);
  const stack = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
  expect(stack).toMatch(/Apple Color Emoji.*Segoe UI Emoji.*Noto Color Emoji.*Noto Emoji Variable/);
});

test("nothing spins without an end for those who want no motion", async ({ page }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signIn(page);
  // Nothing is answered, so that everything is still loading.
  await page.route("**/api/trpc/**", () => undefined);
  for (const address of [
    "overview",
    "messages",
    "send",
    "health",
    "pipeline",
    "routing",
    "settings/currency",
  ]) {
    await page.goto(`/acme/${address}?env=production`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const endless = await page.evaluate(() => {
      // What would spin if it were there.
      const spinner = document.createElement("div");
      spinner.className = "animate-spin skeleton animate-pulse";
      document.body.append(spinner);
      return document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === "running" && effect?.getComputedTiming().iterations === Infinity,
        )
        .map((each) => (each instanceof CSSAnimation ? each.animationName : "?"));
    });
    expect(endless, address).toEqual([]);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("dates are in the language of the page, whatever the reader's is, and no time is a raw one", async ({
  browser,
  request,
}) => {
  test.setTimeout(120_000);
  const context = await browser.newContext({ locale: "de-DE", timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  await signIn(page);
  const [first] = await things(request);
  for (const address of [
    first?.address ?? "",
    "audit",
    "overview",
    "messages",
    "routing?tab=history",
    "api-keys",
  ]) {
    await open(page, `/acme/${address}`);
    const text = await page.locator("main").innerText();
    expect(text, address).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/);
    expect(text, address).not.toMatch(/\b(Mai|Okt|Dez|Mo|Di|Mi|Do|Fr)\.?,? \d|\bvor \d+ (Min|Sek|Std)/);
    const named = await page.evaluate(() =>
      new Intl.DateTimeFormat("de-DE", { month: "short" }).format(Date.now()),
    );
    if (!["Nov"].includes(named.replace(".", ""))) expect(text).not.toContain(`. ${named}`);
  }
  await context.close();
});

test("days that a reader chooses in the audit trail are the reader's, and the page is drawn once", async ({
  browser,
}) => {
  const context = await browser.newContext({ timezoneId: "Pacific/Auckland" });
  const page = await context.newPage();
  await signIn(page);
  const faults: string[] = [];
  const asked: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (outgoing) => {
    if (outgoing.url().includes("audit.list")) asked.push(decodeURIComponent(outgoing.url()));
  });
  await open(page, "/acme/audit?range=custom&from=2026-11-02&to=2026-11-03");
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked).toHaveLength(1);
  // Summer there: the day begins 13 hours before it does in UTC.
  expect(asked[0]).toContain("2026-11-01T11:00:00.000Z");
  expect(asked[0]).toContain("2026-11-03T11:00:00.000Z");
  expect(faults).toEqual([]);
  await context.close();
});

test("a row opens wherever it is clicked, also before the page's script has come", async ({
  page,
  request,
}) => {
  await send(request, {
    recipients: [{ channel: "email", recipient: `early-${String(Date.now())}@example.com` }],
  });
  await signIn(page);
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
  await page.goto("/acme/messages?env=production");
  // In its middle, far from the link in its first cell.
  await page.getByRole("row").nth(1).click();
  await expect(page).toHaveURL(/\/messages\/[0-9a-f-]{36}/);
});

test("a page's filters come with the page, not after its data", async ({ page }) => {
  await signIn(page);
  for (const [address, filters] of [
    ["messages", ["Status", "Channel", "Provider", "Template", "Type"]],
    ["overview", ["Channel", "1 h", "24 h", "30 d"]],
    ["health", ["Connection", "Channel", "24 h"]],
    ["audit", ["Who", "What"]],
  ] as const) {
    const source = await (await page.request.get(`/acme/${address}?env=production`)).text();
    const shown = source.replaceAll(/<script\b.*?<\/script>/gs, "").replaceAll(/<!--.*?-->/g, "");
    for (const filter of filters) expect(shown, `${address}: ${filter}`).toContain(`>${filter}<`);
  }
});

test("no page moves under the reader while it loads", async ({ page, request }) => {
  test.setTimeout(180_000);
  await page.addInitScript(() => {
    const shifts: { value: number; of: string }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Element | null }[];
      })[])
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            of: entry.sources.map(({ node }) => node?.outerHTML.slice(0, 80) ?? "").join(" "),
          });
    }).observe({ type: "layout-shift", buffered: true });
  });
  const sandbox = await api<{ data: { id: string }[] }>(request, "GET", "/v1/webhooks");
  const hook = sandbox.body.data[0]?.id;
  await signIn(page);
  const faults: string[] = [];
  for (const address of [
    ...["overview", "messages", "settings", "settings/currency", "settings/quiet-hours", "templates"],
    ...["templates/by-name/webshop/order-status", "webhooks", "providers", "pipeline", "delivery", "costs"],
    ...(hook === undefined ? [] : [`webhooks/${hook}`]),
  ]) {
    await open(page, `/acme/${address}`);
    // What comes late, such as a chart's drawing.
    await page.waitForTimeout(700);
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { value: number; of: string }[] }).shifts,
    );
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    if (sum >= 0.02) faults.push(`${address}: ${sum.toFixed(3)} ${shifts.map(({ of }) => of).join(" | ")}`);
  }
  expect(faults).toEqual([]);
});
