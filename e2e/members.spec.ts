import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { signIn } from "./quickstart.ts";

const password = "correct horse battery staple";

test("somebody is invited to one team, accepts, and sees that team's part of the portal only", async ({
  page,
  browser,
}) => {
  const email = `mia-${String(Date.now())}@acme.example`;
  const role = `Reader ${String(Date.now())}`;
  await signIn(page);

  // A role of the organisation's own.
  await page.goto("/acme/roles");
  await page.getByRole("button", { name: "New role" }).click();
  const roleDialog = page.getByRole("dialog");
  await roleDialog.getByLabel("Name").fill(role);
  await roleDialog.getByLabel("See messages").check();
  await roleDialog.getByLabel("See templates").check();
  await roleDialog.getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText(`“${role}” created`)).toBeVisible();

  // Invited with it, in one team.
  await page.goto("/acme/members");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail").fill(email);
  await dialog.getByLabel("Name", { exact: true }).fill("Mia");
  await dialog.getByLabel("Where").click();
  await page.getByRole("option", { name: "Webshop" }).click();
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: role }).click();
  await dialog.getByRole("button", { name: "Invite" }).click();
  // The demo's e-mail works, and it is said that it was used.
  await expect(dialog.getByText(/through your connection/)).toBeVisible();
  const link = (await dialog.getByText(/\/invitation#inv_/).textContent()) ?? "";

  // Somebody else's browser.
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(new URL(link).pathname + new URL(link).hash);
  await expect(theirs.getByRole("heading", { name: /^Join / })).toBeVisible();
  await expect(theirs.getByText(role)).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByLabel("Your name").fill("Mia Maier");
  await theirs.getByLabel("New password").fill(password);
  await theirs.getByRole("button", { name: /^Join / }).click();
  await expect(theirs).toHaveURL(/\/acme\/overview/);
  const navigation = theirs.getByRole("navigation", { name: "Main" });
  await expect(navigation.getByRole("link", { name: "Messages" })).toBeVisible();
  for (const name of ["Members", "Roles", "API keys", "Settings", "Send"]) {
    await expect(navigation.getByRole("link", { name, exact: true })).toHaveCount(0);
  }
  // A second time the link opens nothing.
  await theirs.goto("/sign-in");
  await theirs.goto(new URL(link).pathname + new URL(link).hash);
  await expect(theirs.getByText("This invitation is no longer valid", { exact: true })).toBeVisible();

  // What they may do, and why; then they are suspended and are out.
  await page.goto("/acme/members");
  await page.getByRole("searchbox", { name: "Search members" }).fill(email);
  await page.getByText("Mia Maier").first().click();
  const panel = page.getByRole("dialog", { name: "Mia Maier" });
  await expect(panel.getByText("See messages")).toBeVisible();
  await expect(panel.getByText(/assigned by Demo Owner/).first()).toBeVisible();
  await panel.getByRole("button", { name: "Suspend…" }).click();
  await page.getByRole("button", { name: "Suspend member" }).click();
  await expect(page.getByText("Mia Maier was suspended")).toBeVisible();
  await theirs.goto("/acme/messages");
  await expect(theirs).toHaveURL(/\/sign-in/);
});
