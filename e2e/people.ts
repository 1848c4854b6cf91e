import { expect, type Page } from "@playwright/test";
import { signIn } from "./quickstart.ts";

const password = "correct horse battery staple";

/** Invites somebody as the demo's owner and accepts in a browser of theirs, which is signed in afterwards. */
export async function newMember(page: Page, theirs: Page, email: string, role = "Finance"): Promise<void> {
  await signIn(page);
  await page.goto("/acme/members");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail").fill(email);
  await dialog.getByLabel("Name", { exact: true }).fill("Mia");
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: role }).click();
  await dialog.getByRole("button", { name: "Invite" }).click();
  const link = new URL((await dialog.getByText(/\/invitation#inv_/).textContent()) ?? "");
  await theirs.goto(link.pathname + link.hash);
  await theirs.getByLabel("New password").fill(password);
  await theirs.getByRole("button", { name: /^Join / }).click();
  await expect(theirs).toHaveURL(/\/acme\/overview/);
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
}
