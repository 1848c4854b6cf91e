import { readdirSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import type { Browser, BrowserContext } from "@playwright/test";
import { ensureChromium } from "../../scripts/lib/chromium.ts";
import { root } from "../../scripts/lib/paths.ts";
import { buildProduct } from "../lib/build.ts";
import { query } from "../lib/cluster.ts";
import { createHistory } from "../lib/history.ts";
import { addOwner, signIn } from "../lib/portal.ts";
import type { Person } from "../lib/portal.ts";
import { startWeb } from "../lib/product.ts";
import type { Web } from "../lib/product.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import { createWorld } from "../lib/world.ts";

/** What a browser saw of a page. */
interface Load {
  /** Until its largest part was painted for the last time, in ms from when it was asked for: that is its data, not a skeleton. */
  paintedMs: number;
  /** How far what was seen moved by itself (cumulative layout shift). */
  shift: number;
  /** KiB of script over the wire. */
  scriptKiB: number;
  requests: number;
}

interface PageFigures {
  path: string;
  cold: Load;
  warm: Load;
}

/** A page is at rest when so long nothing was asked for. */
const restMs = 500;
/** Its scripts are those of a whole editor. */
const isEditor = (page: string) => page === "templates/new";

/**
 * (r) Every page of the portal that has an address of its own, in a real browser on the same cores, in an organisation without a
 * message and in one with a million: medians of three visits with nothing kept (cold) and of three with what the browser kept.
 */
export async function pages(run: Run): Promise<Measure[]> {
  await buildProduct();
  const url = await run.cluster.createProduct("product_r");
  const provider = { providerUrl: "http://127.0.0.1:9" };
  const full = await createWorld(url, { ...provider, slug: "full" });
  const empty = await createWorld(url, { ...provider, slug: "empty" });
  await createHistory(url, full, { count: run.quick ? 100_000 : 1_000_000, days: 30, events: true });
  await query(url, "ANALYZE");
  const people = [await addOwner(url, empty, "empty"), await addOwner(url, full, "full")];
  const web = await startWeb(url, run.folder);
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
  try {
    const measures: Measure[] = [];
    for (const person of people)
      measures.push(...summary(person.slug, await visitAll(browser, web, person, run)));
    return measures;
  } finally {
    await browser.close();
    await web.child.stop();
  }
}

/** The addresses below an organisation's that name nothing of it. Not the mailbox: only an installation on one machine has it. */
function addresses(): string[] {
  const folder = path.join(root, "app", "(portal)", "[tenant]");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => path.dirname(file).split(path.sep).join("/"))
    .filter((address) => address !== "." && address !== "mailbox" && !address.includes("["))
    .sort();
}

async function visitAll(browser: Browser, web: Web, person: Person, run: Run): Promise<PageFigures[]> {
  const options = { baseURL: web.baseUrl, viewport: { width: 1440, height: 900 } };
  const first = await browser.newContext(options);
  await signIn(await first.newPage(), person);
  const storageState = await first.storageState();
  await first.close();
  const figures: PageFigures[] = [];
  for (const address of addresses()) {
    const cold: Load[] = [];
    const warm: Load[] = [];
    for (let round = 0; round < (run.quick ? 1 : 3); round++) {
      const context = await browser.newContext({ ...options, storageState });
      cold.push(await visit(context, `/${person.slug}/${address}`));
      warm.push(await visit(context, `/${person.slug}/${address}`));
      await context.close();
    }
    const page = { path: address, cold: medians(cold), warm: medians(warm) };
    figures.push(page);
    const told = ({ paintedMs, shift, scriptKiB, requests }: Load) =>
      `${String(Math.round(paintedMs))} ms, ${String(requests)} requests, ${String(Math.round(scriptKiB))} KiB script, shift ${shift.toFixed(3)}`;
    run.say(`${person.slug} ${address}: cold ${told(page.cold)}; warm ${told(page.warm)}`);
  }
  return figures;
}

async function visit(context: BrowserContext, address: string): Promise<Load> {
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const scripts = new Set<string>();
  let requests = 0;
  let bytes = 0;
  network.on("Network.requestWillBeSent", ({ requestId, type }) => {
    requests++;
    if (type === "Script") scripts.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  // What Playwright calls idle: half a second without a request.
  await page.goto(address, { waitUntil: "networkidle" });
  const { paintedMs, shift } = await page.evaluate(paints, restMs);
  await page.close();
  return { paintedMs, shift, scriptKiB: bytes / 1024, requests };
}

/** The paints of a page that is at rest. Runs in the page. */
function paints(restMs: number): Promise<{ paintedMs: number; shift: number }> {
  return new Promise((resolve) => {
    let paintedMs = 0;
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) paintedMs = Math.max(paintedMs, entry.startTime);
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve({ paintedMs, shift }), restMs);
  });
}

function medians(loads: readonly Load[]): Load {
  const median = (of: (load: Load) => number) => percentile(loads.map(of), 0.5);
  return {
    paintedMs: median((load) => load.paintedMs),
    shift: median((load) => load.shift),
    scriptKiB: median((load) => load.scriptKiB),
    requests: median((load) => load.requests),
  };
}

function summary(slug: string, figures: readonly PageFigures[]): Measure[] {
  const messages = slug === "empty" ? "no message" : "a million messages";
  const plain = figures.filter(({ path: address }) => !isEditor(address));
  const worst = (of: (page: PageFigures) => number, among = plain) => Math.max(...among.map(of));
  const middle = (of: (page: PageFigures) => number) => percentile(plain.map(of), 0.5);
  const most = (value: number) => ({ at: "most" as const, value });
  const line = (name: string, value: number, unit: string, target?: number) =>
    measure("r", `${messages}: ${name}`, value, unit, target === undefined ? undefined : most(target));
  return [
    line(
      "data painted, cold, median page",
      middle((page) => page.cold.paintedMs),
      "ms",
    ),
    line(
      "data painted, cold, slowest page",
      worst((page) => page.cold.paintedMs),
      "ms",
      800,
    ),
    line(
      "data painted, warm, slowest page",
      worst((page) => page.warm.paintedMs),
      "ms",
      800,
    ),
    line(
      "editor painted, cold",
      worst(
        (page) => page.cold.paintedMs,
        figures.filter(({ path: address }) => isEditor(address)),
      ),
      "ms",
      1_500,
    ),
    line(
      "script of a page, cold, median",
      middle((page) => page.cold.scriptKiB),
      "KiB",
    ),
    line(
      "script of a page, cold, most",
      worst((page) => page.cold.scriptKiB),
      "KiB",
      180,
    ),
    line(
      "requests of a page, cold, most",
      worst((page) => page.cold.requests),
      "",
      30,
    ),
    line(
      "layout shift, most",
      worst((page) => Math.max(page.cold.shift, page.warm.shift)),
      "",
      0.02,
    ),
  ];
}
