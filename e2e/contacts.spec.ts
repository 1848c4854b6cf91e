import { expect, test, type Page } from "@playwright/test";
import { signIn } from "./quickstart.ts";

async function choose(page: Page, field: string | RegExp, option: string): Promise<void> {
  await page.getByRole("combobox", { name: field }).last().click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("contacts are added, put into groups of both kinds, found, merged and deleted", async ({ page }) => {
  test.setTimeout(120_000);
  const mark = String(Date.now()).slice(-8);
  const name = `Ada ${mark}`;
  const add = async (address: string, plan: string) => {
    await page.goto("/acme/contacts");
    await page.getByRole("button", { name: "Add contact" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: false }).first().fill(name);
    await dialog.getByPlaceholder(/^ada@/).fill(address);
    await dialog.getByRole("button", { name: "Attribute", exact: true }).click();
    await dialog.getByPlaceholder("plan").fill("plan");
    await dialog.getByPlaceholder("gold").fill(plan);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page).toHaveURL(/\/contacts\/[0-9a-f-]{36}/);
    await expect(page.getByRole("heading", { name })).toBeVisible();
  };
  await signIn(page);
  await add(`ada-${mark}@example.com`, `gold${mark}`);
  await expect(page.getByText(`ada-${mark}@example.com`)).toBeVisible();
  // The same address again is refused at its place.
  await page.goto("/acme/contacts");
  await page.getByRole("button", { name: "Add contact" }).first().click();
  await page.getByPlaceholder(/^ada@/).fill(`ada-${mark}@example.com`);
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("belongs to another contact");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await add(`ada.${mark}@example.com`, `gold${mark}`);

  // A group that somebody puts contacts into.
  await page.goto("/acme/contacts/groups");
  await page.getByRole("button", { name: "Add group" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(`List ${mark}`);
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("heading", { name: `List ${mark}` })).toBeVisible();
  await page.goto(`/acme/contacts?q=${encodeURIComponent(name)}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).click();
  await page.getByRole("button", { name: "Add to group" }).click();
  // Found by a part of its name, however many groups there are.
  await page.getByRole("dialog").getByRole("button", { name: "Group", exact: true }).click();
  await page.getByPlaceholder("Find a group…").fill(mark);
  await page.getByRole("option", { name: `List ${mark}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("2 contacts added")).toBeVisible();

  // A group by filter counts whoever matches.
  await page.goto("/acme/contacts/groups");
  await page.getByRole("button", { name: "Add group" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").first().fill(`Gold ${mark}`);
  await dialog.getByText("Contacts that match a filter").click();
  await choose(page, "Field", "Attribute");
  await dialog.getByLabel("Name of the attribute").fill("plan");
  await dialog.getByLabel("Value").fill(`GOLD${mark}`);
  await expect(dialog.getByTestId("filter-words")).toContainText(`plan is GOLD${mark}`);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText(/2, counted/)).toBeVisible({ timeout: 30_000 });

  // Two of one name are merged into one, with both addresses.
  await page.goto("/acme/contacts/duplicates");
  await page.getByRole("listitem").filter({ hasText: name }).getByRole("button", { name: "Merge" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
  await expect(page.getByText("Merged into one contact")).toBeVisible();
  await page.goto(`/acme/contacts?q=${encodeURIComponent(name)}`);
  await page
    .getByRole("link", { name: `Open ${name}` })
    .first()
    .click();
  await expect(page).toHaveURL(/\/contacts\/[0-9a-f-]{36}/);
  await expect(page.getByText(`ada-${mark}@example.com`)).toBeVisible();
  await expect(page.getByText(`ada.${mark}@example.com`)).toBeVisible();
  await expect(page.getByText(`List ${mark}`)).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(/\/contacts(\?|$)/);
});
