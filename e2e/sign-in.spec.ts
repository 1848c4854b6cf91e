import { expect, test, type Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expectAccessible } from "./accessible.ts";
import { newMember, signOut } from "./people.ts";
import { quickstart, signIn } from "./quickstart.ts";

const password = "correct horse battery staple";
const another = "quiet otters knit nine";

/** The code of an app, some steps of 30 seconds from now. */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

async function enterPassword(page: Page, email: string, given: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(given);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("a second factor is set up, asked for at the next sign-in, and a recovery code stands in for it once", async ({
  page,
  browser,
}) => {
  const email = `mia-${String(Date.now())}@acme.example`;
  const theirs = await (await browser.newContext()).newPage();
  await newMember(page, theirs, email);

  await theirs.goto("/acme/account");
  await theirs.getByRole("button", { name: "Set up" }).click();
  const dialog = theirs.getByRole("dialog", { name: "Set up second factor" });
  await dialog.getByLabel("Your password").fill("not the password");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("This is not the current password")).toBeVisible();
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("img", { name: /QR code/ })).toBeVisible();
  await expectAccessible(theirs);
  const secret = ((await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? "").replaceAll(
    " ",
    "",
  );
  await dialog.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await dialog.getByRole("button", { name: "Switch on" }).click();
  const listed = theirs.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(listed).toHaveCount(10);
  // They are not shown again: neither a key nor a click beside the dialog closes it.
  await theirs.keyboard.press("Escape");
  await theirs.mouse.click(5, 5);
  await expect(listed).toHaveCount(10);
  await expect(dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
  const [first = ""] = await listed.allTextContents();
  await dialog.getByRole("button", { name: "I've saved them" }).click();
  await expect(theirs.getByText("10 recovery codes left.")).toBeVisible();
  await theirs.getByRole("button", { name: "New recovery codes" }).click();
  const renewed = theirs.getByRole("dialog", { name: "New recovery codes" });
  await renewed.getByLabel("Your password").fill(password);
  await renewed.getByLabel("Code", { exact: true }).fill(first);
  await renewed.getByRole("button", { name: "Create codes" }).click();
  await expect(listed).toHaveCount(10);
  const codes = await listed.allTextContents();
  await theirs.keyboard.press("Escape");
  await theirs.mouse.click(5, 5);
  await expect(listed).toHaveCount(10);
  await renewed.getByRole("button", { name: "I've saved them" }).click();

  await signOut(theirs);
  await enterPassword(theirs, email, password);
  await expect(theirs.getByLabel("Code", { exact: true })).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByLabel("Code", { exact: true }).fill("000000");
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs.getByText("Wrong code")).toBeVisible();
  await theirs.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs).toHaveURL(/\/acme\/overview/);

  const [code = ""] = codes;
  await signOut(theirs);
  await enterPassword(theirs, email, password);
  await theirs.getByLabel("Code", { exact: true }).fill(code);
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs).toHaveURL(/\/acme\/overview/);
  await signOut(theirs);
  await enterPassword(theirs, email, password);
  await theirs.getByLabel("Code", { exact: true }).fill(code);
  await theirs.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(theirs.getByText("Wrong code")).toBeVisible();
});

test("who has forgotten their password gets a link by mail, and one that is easy to guess is refused", async ({
  page,
  browser,
}) => {
  const email = `noa-${String(Date.now())}@acme.example`;
  const theirs = await (await browser.newContext()).newPage();
  await newMember(page, theirs, email);
  await signOut(theirs);
  await theirs.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(theirs.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByLabel("E-mail").fill(email);
  await theirs.getByRole("button", { name: "Send link" }).click();
  await expect(theirs.getByText(/If .* has an account, a link is on its way/)).toBeVisible();

  let token = "";
  await expect
    .poll(
      async () => {
        const { mailbox } = quickstart();
        const mails = (await (await fetch(mailbox)).json()) as { id: string; to: string[] }[];
        const theirMail = mails.find(({ to }) => to.includes(email));
        const text = theirMail ? await (await fetch(`${mailbox}/${theirMail.id}`)).text() : "";
        token = /set-password#([\w-]{86})/.exec(text)?.[1] ?? "";
        return token;
      },
      { timeout: 15_000 },
    )
    .not.toBe("");
  await theirs.goto(`/set-password#${token}`);
  await theirs.getByLabel("Password").fill("password1234");
  await theirs.getByRole("button", { name: "Set password" }).click();
  await expect(theirs.getByText(/appears in leaked password lists/)).toBeVisible();
  await theirs.getByLabel("Password").fill(another);
  await theirs.getByRole("button", { name: "Set password" }).click();
  await expect(theirs).toHaveURL(/\/sign-in/);
  await enterPassword(theirs, email, another);
  await expect(theirs).toHaveURL(/\/acme\/overview/);
});

test("nobody asks for a second factor of others who has none: it would lock them out", async ({ page }) => {
  await signIn(page);
  await page.goto("/acme/settings/sign-in");
  await page.getByLabel("Require a second factor").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/Set up your own second factor first/)).toBeVisible();
  await expectAccessible(page);
});

test("a session that somebody planted in a browser is not the one that a sign-in begins, and counts for nothing there", async ({
  page,
  browser,
}) => {
  const email = `eve-${String(Date.now())}@acme.example`;
  const eves = await (await browser.newContext()).newPage();
  await newMember(page, eves, email);
  const planted = (await eves.context().cookies()).filter(({ name }) => name.includes("session-token"));
  const victims = await browser.newContext();
  await victims.addCookies(planted);
  const theirs = await victims.newPage();
  await signIn(theirs);
  const begun = (await victims.cookies()).find(({ name }) => name.includes("session-token"));
  expect(begun?.value).not.toBe(planted[0]?.value);
  await expect(theirs.getByRole("button", { name: /^Account: Demo Owner/ })).toBeVisible();
  // Of the same organisation: the one that stood there ends.
  await eves.goto("/acme/overview");
  await expect(eves).toHaveURL(/\/sign-in/);
});

test("what a browser says of where it is does not make its requests another's, and another site is not led to", async ({
  page,
}) => {
  await page.goto("/forgot-password");
  const answers = await page.evaluate(async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 9; count++) {
      const answer = await fetch("/api/forgot-password", {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `203.0.113.${String(count)}` },
        body: JSON.stringify({ email: "spoofed@acme.example" }),
      });
      statuses.push(answer.status);
    }
    return statuses;
  });
  expect(answers).toContain(429);
  expect(answers[0]).toBe(200);
  const facts = quickstart();
  for (const target of ["//evil.example", "/\t/evil.example", "/\\evil.example", "https://evil.example"]) {
    await page.context().clearCookies();
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(target)}`);
    await enterPassword(page, facts.email, facts.password);
    await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/acme\/overview/);
  }
});

test("neither the page source nor a call that anybody can repeat shows a secret of the sign-in", async ({
  page,
  browser,
}) => {
  const email = `ada-${String(Date.now())}@acme.example`;
  const theirs = await (await browser.newContext()).newPage();
  await newMember(page, theirs, email);
  await theirs.goto("/acme/account");
  await theirs.getByRole("button", { name: "Set up" }).click();
  const dialog = theirs.getByRole("dialog", { name: "Set up second factor" });
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  const shown = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? "";
  const source = await (await theirs.request.get("/acme/account")).text();
  const own = await (await theirs.request.get("/api/trpc/secondFactor.get")).text();
  for (const text of [shown, shown.replaceAll(" ", ""), password]) {
    expect(source).not.toContain(text);
    expect(own).not.toContain(text);
  }
});
