import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { openNameServer } from "../server/testing/name-server.ts";
import { signIn } from "./quickstart.ts";

test("somebody sees how mail arrives, and mends what DNS says of a sender", async ({ page }) => {
  const records = new Map<string, readonly string[] | "fails">();
  const nameServer = await openNameServer(records, Number(process.env.E2E_DNS_PORT));
  try {
    await signIn(page);
    await page.getByRole("link", { name: "Deliverability" }).click();
    await expect(page.getByRole("heading", { name: "Deliverability" })).toBeVisible();
    await expect(page.getByRole("meter", { name: "Complaints" })).toHaveCount(4);
    await expect(page.getByRole("region", { name: "Gmail" })).toContainText("Postmaster Tools");

    const sender = page.getByRole("listitem").filter({ hasText: "SPF" }).first();
    const lookUp = page.getByRole("button", { name: /^Check again: / }).first();
    const domain = ((await lookUp.getAttribute("aria-label")) ?? "").replace(/^Check again: /, "");
    records.set(`_dmarc.${domain}`, ["v=DMARC1; p=none"]);
    // Not more often than every half minute.
    await expect(async () => {
      await lookUp.click();
      await expect(page.getByText(`${domain} was checked`)).toBeVisible({ timeout: 5_000 });
    }).toPass({ intervals: [5_000], timeout: 50_000 });
    await expect(sender).toContainText("The policy is none");
    await expect(sender).toContainText("v=DMARC1; p=quarantine");
    await expect(sender.getByRole("button", { name: "Copy the DMARC record" })).toBeVisible();
    await expectAccessible(page);
  } finally {
    await nameServer.close();
  }
});
