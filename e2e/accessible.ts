import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Waits until every part of a page listens. One outside of the portal always does. */
export async function expectListening(page: Page): Promise<void> {
  await expect(page.locator("[data-gate]:disabled")).toHaveCount(0);
}

/** What looks at a page once it listens: before that axe takes its links for disabled. */
export async function axeOf(page: Page): Promise<AxeBuilder> {
  await expectListening(page);
  return new AxeBuilder({ page });
}

/**
 * Holds a page to what axe calls serious or critical. It looks at things at rest: a notice half faded out has
 * little contrast, and is nobody's reading.
 * @param without what is on the page and not ours: the document of a message
 */
export async function expectAccessible(page: Page, { without }: { without?: string } = {}): Promise<void> {
  const axe = await axeOf(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { violations } = await (without === undefined ? axe : axe.exclude(without)).analyze();
  await page.emulateMedia({ reducedMotion: null });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
