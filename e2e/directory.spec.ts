import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { openNameServer } from "../server/testing/name-server.ts";
import { quickstart, signIn } from "./quickstart.ts";

test("an owner proves a domain and connects a directory, whose group gives a role; deactivated there, somebody is out here", async ({
  page,
  request,
}) => {
  const records = new Map<string, string[]>();
  const nameServer = await openNameServer(records, Number(process.env.E2E_DNS_PORT));
  const domain = `d${String(Date.now())}.example`;
  await signIn(page);
  await page.goto("/acme/settings");
  await page
    .getByRole("link", { name: /^Directory/ })
    .first()
    .click();

  // The domain: not verified before its record is there.
  await page.getByRole("button", { name: "Add domain" }).click();
  await page.getByRole("dialog").getByLabel("Domain").fill(domain);
  await page.getByRole("dialog").getByRole("button", { name: "Add domain" }).click();
  const row = page.getByRole("list", { name: "Domains" }).getByRole("listitem").filter({ hasText: domain });
  await row.getByRole("button", { name: "Verify" }).click();
  await expect(row.getByRole("alert")).toContainText("There is no TXT record");
  const text = (await row.getByText(/^tidings-domain-verification=/).textContent()) ?? "";
  records.set(`_tidings.${domain}`, [text]);
  await row.getByRole("button", { name: "Verify" }).click();
  await expect(row.getByText("Verified", { exact: true })).toBeVisible();
  await nameServer.close();

  // The token, shown once.
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Entra");
  await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
  const token =
    (await page
      .getByRole("dialog")
      .getByText(/^tdg_scim_/)
      .textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(/never used/).first()).toBeVisible();

  // The directory writes.
  const scim = async (method: string, path: string, data?: object) => {
    const answer = await request.fetch(`${quickstart().baseUrl}/scim/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
      ...(data ? { data: JSON.stringify(data) } : {}),
    });
    expect(answer.ok()).toBe(true);
    return (answer.status() === 204 ? {} : await answer.json()) as { id: string };
  };
  const { id } = await scim("POST", "/Users", { userName: `mia@${domain}`, displayName: "Mia Directory" });
  await scim("POST", "/Groups", { displayName: `Support ${domain}`, members: [{ value: id }] });

  // What the group gives.
  await page.reload();
  const group = page.getByRole("list", { name: "Groups" }).getByRole("listitem").filter({ hasText: domain });
  await expect(group).toContainText("1 member");
  await group.getByRole("button", { name: /^Give Support .* a role$/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Role").click();
  await page.getByRole("option", { name: "Auditor" }).click();
  await dialog.getByRole("button", { name: "Assign role" }).click();
  await expect(page.getByRole("list", { name: `Roles of Support ${domain}` })).toContainText("Auditor");
  await expectAccessible(page);

  await scim("PATCH", `/Users/${id}`, { Operations: [{ op: "Replace", path: "active", value: "False" }] });
  await page.goto(`/acme/members?open=${id}`);
  const panel = page.getByRole("dialog", { name: "Mia Directory" });
  await expect(panel.getByText("Deactivated", { exact: true })).toBeVisible();
  await expect(panel.getByText(`assigned by group Support ${domain}`).first()).toBeVisible();
  await expect(panel.getByRole("button", { name: "Reactivate" })).toHaveCount(0);
});
