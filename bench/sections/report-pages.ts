import { chromium } from "@playwright/test";
import { hashPassword } from "../../server/access/password.ts";
import { newId } from "../../server/kernel/ids.ts";
import { builtInRoles } from "../../server/operations/permissions.ts";
import { ensureChromium } from "../../scripts/lib/chromium.ts";
import { query } from "../lib/cluster.ts";
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
  const person = await addOwner(url, world);
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ baseURL: web.baseUrl });
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/bench/**");
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

async function addOwner(url: string, world: World): Promise<{ email: string; password: string }> {
  const person = { email: "owner@bench.example", password: newId() };
  const { name, permissions } = builtInRoles.owner;
  await query(
    url,
    `WITH role AS (INSERT INTO roles (tenant_id, id, key, name, permissions, built_in) VALUES ($1, $2, 'owner', $3, $4, true) RETURNING id),
       person AS (INSERT INTO users (tenant_id, id, email, name, password_hash) VALUES ($1, $5, $6, 'Owner', $7) RETURNING id)
     INSERT INTO role_assignments (tenant_id, id, user_id, role_id) SELECT $1, $8, person.id, role.id FROM person, role`,
    [
      world.tenantId,
      newId(),
      name,
      permissions,
      newId(),
      person.email,
      await hashPassword(person.password),
      newId(),
    ],
  );
  return person;
}
