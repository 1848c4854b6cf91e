import { expect, test, type CDPSession, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { newMember, signOut } from "./people.ts";

const password = "correct horse battery staple";

/** A device of the person: nothing happens on it until `touch`. */
async function addAuthenticator(page: Page): Promise<{
  client: CDPSession;
  touch: (work: () => Promise<unknown>) => Promise<void>;
  set: (verified: boolean) => Promise<void>;
}> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  });
  const presence = (enabled: boolean) =>
    client.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  return {
    client,
    touch: async (work) => {
      await presence(true);
      await work();
      await presence(false);
    },
    set: async (verified) => {
      await client.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: verified });
    },
  };
}

async function addPasskey(page: Page, name: string, touch: (work: () => Promise<unknown>) => Promise<void>) {
  await page.goto("/acme/account");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Add passkey" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Your password").fill("not the password");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("This is not the current password")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Your password").fill(password);
  await touch(async () => {
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Passkey added")).toBeVisible();
  });
}

test("a passkey is added, signs in without a name or a password, and opens nothing once it is removed", async ({
  page,
  browser,
}) => {
  const theirs = await (await browser.newContext()).newPage();
  await newMember(page, theirs, `pia-${String(Date.now())}@acme.example`);
  const { touch } = await addAuthenticator(theirs);
  await addPasskey(theirs, "Work laptop", touch);
  const list = theirs.getByRole("list", { name: "Passkeys" });
  await expect(list.getByText("Work laptop")).toBeVisible();
  await expect(list.getByText("never used")).toBeVisible();

  await signOut(theirs);
  await expectAccessible(theirs);
  await touch(async () => {
    await theirs.getByRole("button", { name: "Sign in with a passkey" }).click();
    await expect(theirs).toHaveURL(/\/acme\/overview/);
  });

  await theirs.goto("/acme/account");
  await expect(list.getByText(/last used/)).toBeVisible();
  await theirs.getByRole("button", { name: "Rename Work laptop" }).click();
  await theirs.getByRole("dialog").getByLabel("Name").fill("Old laptop");
  await theirs.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expect(list.getByText("Old laptop")).toBeVisible();
  await theirs.getByRole("button", { name: "Remove Old laptop…" }).click();
  await theirs.getByRole("dialog").getByLabel("Your password").fill(password);
  await theirs.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(theirs.getByText("Passkey removed. Other sessions were signed out")).toBeVisible();
  await expect(list).toHaveCount(0);

  await signOut(theirs);
  await touch(async () => {
    await theirs.getByRole("button", { name: "Sign in with a passkey" }).click();
    await expect(theirs.getByText("This passkey doesn't work")).toBeVisible();
  });
  await expect(theirs).toHaveURL(/\/sign-in/);
});

test("browsers offer a passkey while the e-mail address is asked for", async ({ page, browser }) => {
  const theirs = await (await browser.newContext()).newPage();
  await newMember(page, theirs, `kim-${String(Date.now())}@acme.example`);
  const { touch } = await addAuthenticator(theirs);
  await addPasskey(theirs, "Phone", touch);
  await signOut(theirs);
  await touch(async () => {
    await theirs.goto("/sign-in");
    await expect(theirs).toHaveURL(/\/acme\/overview/);
  });
});

test("a device that does not make sure of its user neither becomes a passkey nor signs in", async ({
  page,
  browser,
}) => {
  const theirs = await (await browser.newContext()).newPage();
  await newMember(page, theirs, `ida-${String(Date.now())}@acme.example`);
  const { touch, set } = await addAuthenticator(theirs);
  await addPasskey(theirs, "Laptop", touch);
  await signOut(theirs);
  await set(false);
  await touch(async () => {
    await theirs.getByRole("button", { name: "Sign in with a passkey" }).click();
    await theirs.waitForTimeout(1_500);
  });
  await expect(theirs).toHaveURL(/\/sign-in/);
});

test("what passkeys take is loaded where they are used, and by no other page", async ({ page }) => {
  const loaded: string[] = [];
  page.on("response", async (response) => {
    if (!/\.js(\?|$)/.test(response.url())) return;
    const text = await response.text().catch(() => "");
    if (text.includes("WebAuthnAbortService") || text.includes("ERROR_CEREMONY_ABORTED")) {
      loaded.push(response.url());
    }
  });
  for (const path of ["/forgot-password", "/set-password"]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
  }
  expect(loaded).toEqual([]);
  await page.goto("/sign-in");
  await expect.poll(() => loaded.length).toBeGreaterThan(0);
});
