import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { choosePort } from "../scripts/lib/ports.ts";
import { openNameServer } from "../server/testing/name-server.ts";
import { openIdentityProvider } from "./identity-provider.ts";
import { quickstart, signIn } from "./quickstart.ts";

test("an owner connects an identity provider, and somebody of the domain joins through it with the role of their group", async ({
  page,
  browser,
}) => {
  const records = new Map<string, string[]>();
  const nameServer = await openNameServer(records, Number(process.env.E2E_DNS_PORT));
  const domain = `s${String(Date.now())}.example`;
  await signIn(page);

  // The domain.
  await page.goto("/acme/settings/directory");
  await page.getByRole("button", { name: "Add domain" }).click();
  await page.getByRole("dialog").getByLabel("Domain").fill(domain);
  await page.getByRole("dialog").getByRole("button", { name: "Add domain" }).click();
  const row = page.getByRole("list", { name: "Domains" }).getByRole("listitem").filter({ hasText: domain });
  const text = (await row.getByText(/^tidings-domain-verification=/).textContent()) ?? "";
  records.set(`_tidings.${domain}`, [text]);
  await row.getByRole("button", { name: "Verify" }).click();
  await expect(row.getByText("Verified", { exact: true })).toBeVisible();
  await nameServer.close();

  // The provider: wrong before it is there.
  const redirectUri = `${quickstart().baseUrl}/api/sso/callback/${quickstart().tenantId}`;
  const port = await choosePort();
  const name = `Corporate ${domain}`;
  await page.goto("/acme/settings/single-sign-on");
  await page.getByRole("button", { name: "Add provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: /^Another/ }).click();
  await expect(dialog.getByText(redirectUri)).toBeVisible();
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Issuer").fill(`http://127.0.0.1:${String(port)}`);
  await dialog.getByLabel("Client ID").fill("tidings");
  await dialog.getByLabel("Client secret").fill("wrong");
  await dialog.getByLabel("Scopes").fill("openid email profile groups");
  await dialog.getByLabel("Allow new people to join").check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add provider" }).click();
  const card = page.getByRole("region", { name });
  await card.getByRole("button", { name: "Test" }).click();
  await expect(card.getByText(/could not be read: the connection was refused/)).toBeVisible();
  const provider = await openIdentityProvider({ port, domain, redirectUri });
  await card.getByRole("button", { name: "Test" }).click();
  await expect(card.getByText(/does not accept the client ID and secret/)).toBeVisible();
  await card.getByRole("button", { name: "Change…" }).click();
  await dialog.getByLabel("Client secret").fill(provider.client.secret);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await card.getByRole("button", { name: "Test" }).click();
  await expect(card.getByText("It accepts the client ID and secret.")).toBeVisible();
  expect(await (await page.request.get("/api/trpc/sso.providers")).text()).not.toContain(
    provider.client.secret,
  );

  // A rule, and on.
  await card.getByRole("button", { name: "Add rule" }).click();
  await dialog.getByLabel("Value of “groups”").fill("auditors");
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "Auditor" }).click();
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await expect(card.getByRole("list", { name: `Rules of ${name}` })).toContainText("Auditor");
  await card.getByRole("button", { name: "Switch on" }).click();
  await expect(card.getByText("On", { exact: true })).toBeVisible();
  await expectAccessible(page);

  // Somebody of the domain, on their way to a page, in a browser of theirs.
  provider.groups.set("mia", ["auditors"]);
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(`/sign-in?callbackUrl=${encodeURIComponent("/acme/audit")}`);
  await theirs.getByLabel("E-mail").fill("mia@elsewhere.example");
  await theirs.getByLabel("E-mail").fill(`mia@${domain}`);
  const offer = theirs.getByRole("button", { name: `Continue with ${name}` });
  await expect(offer).toBeVisible();
  await expectAccessible(theirs);
  await offer.click();
  await expect(theirs).toHaveURL(/127\.0\.0\.1/);
  await theirs.locator("input[name=login]").fill("mia");
  await theirs.locator("input[name=password]").fill("any");
  await theirs.locator("button[type=submit]").click();
  await theirs.locator("button[type=submit]").click();
  await expect(theirs).toHaveURL(/\/acme\/audit$/);
  await expect(theirs.getByRole("heading", { name: "Audit" })).toBeVisible();
  await expect(theirs.getByRole("button", { name: /^Account: Mia of the provider/ })).toBeVisible();

  // What came back is of no use a second time, nor in another browser; the page says what to do.
  await theirs.goto(`/api/sso/callback/${quickstart().tenantId}?code=x&state=y`);
  await expect(theirs.getByText("Please start again")).toBeVisible();

  // Switched off: out at once.
  await card.getByRole("button", { name: "Switch off…" }).click();
  await page.getByRole("button", { name: "Switch off", exact: true }).click();
  await expect(card.getByText("Off", { exact: true })).toBeVisible();
  await theirs.goto("/acme/audit");
  await expect(theirs).toHaveURL(/\/sign-in/);
  await card.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove provider" }).click();
  await expect(card).toHaveCount(0);
  await provider.close();
});
