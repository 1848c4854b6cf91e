import { expect, type Page } from "@playwright/test";

/** Nothing runs out of the window, once what measures itself has drawn itself anew. */
export async function expectFits(page: Page, what?: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), {
      ...(what !== undefined && { message: what }),
    })
    .toBeLessThanOrEqual(0);
}
