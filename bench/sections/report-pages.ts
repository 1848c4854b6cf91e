import { chromium } from "@playwright/test";
import { ensureChromium } from "../../scripts/lib/chromium.ts";
import { addOwner, signIn } from "../lib/portal.ts";
import type { Web } from "../lib/product.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";
import type { World } from "../lib/world.ts";

const pages = [
  { name: "Overview", path: "overview", chart: "Volume over time by outcome" },
  { name: "Delivery, 30 days", path: "delivery?period=30d", chart: "Messages over time by outcome" },
  { name: "Costs, the month", path: "costs", chart: "Costs over time" },
] as const;

/**
 * How soon pages of reports are useful: from when a browser asks for the page until its first chart is drawn, with the
 * scripts that it keeps of an earlier visit.
 */
export async function reportPages(web: Web, url: string, world: World, run: Run): Promise<Measure[]> {
  const person = await addOwner(url, world, "bench");
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ baseURL: web.baseUrl });
    await signIn(page, person);
    const measures: Measure[] = [];
    for (const { name, path, chart } of pages) {
      const times: number[] = [];
      const rounds = run.quick ? 3 : 20;
      for (let round = 0; round <= rounds; round++) {
        await page.goto(`/bench/${path}`, { waitUntil: "commit" });
        const drawn = await page.evaluate(untilDrawn, `figure[aria-label^="${chart}"] svg path`);
        if (round > 0) times.push(drawn);
      }
      const target = { at: "most", value: 1_000 } as const;
      measures.push(
        measure("q", `${name}: until the chart is drawn, p95`, percentile(times, 0.95), "ms", target),
      );
    }
    return measures;
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the beginning of the navigation to the frame that shows an element. Runs in the page. */
function untilDrawn(selector: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      if (!document.querySelector(selector)) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
}
