import { readFileSync } from "node:fs";
import path from "node:path";
import type { APIRequestContext, Page } from "@playwright/test";
import { expect } from "@playwright/test";

/** The file that `npm start` writes for its user (.data/quickstart.json). */
export interface Quickstart {
  baseUrl: string;
  tenantId: string;
  email: string;
  password: string;
  reviewer: { email: string; password: string };
  keys: { live: string; sandbox: string };
  mailbox: string;
  example: { method: string; path: string; body: Record<string, unknown> };
}

export function quickstart(): Quickstart {
  const folder = process.env.E2E_DATA_DIR ?? ".data";
  return JSON.parse(readFileSync(path.join(folder, "quickstart.json"), "utf8")) as Quickstart;
}

/** Signs in the demo's owner, or the reviewer, and waits for the portal. */
export async function signIn(page: Page, who: "owner" | "reviewer" = "owner"): Promise<void> {
  const facts = quickstart();
  const { email, password } = who === "owner" ? facts : facts.reviewer;
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/acme\/overview/);
}

export interface Sent {
  status: number;
  headers: Record<string, string>;
  body: {
    requestId: string;
    notifications: { notificationId: string; channel: string; recipient: string; status: string }[];
  };
}

let count = 0;

/** The example request of the quickstart with its own transactionId, and changed fields. */
export async function send(
  request: APIRequestContext,
  changes: Record<string, unknown> = {},
  key: "live" | "sandbox" = "live",
): Promise<Sent> {
  const { example, keys } = quickstart();
  const response = await request.fetch(example.path, {
    method: example.method,
    headers: { Authorization: `Bearer ${keys[key]}` },
    data: { ...example.body, transactionId: `e2e-${String(Date.now())}-${String(++count)}`, ...changes },
  });
  return {
    status: response.status(),
    headers: response.headers(),
    body: (await response.json()) as Sent["body"],
  };
}

/** A request to the reference API. */
// The caller says what it expects; tests assert the rest.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export async function api<T>(
  request: APIRequestContext,
  method: string,
  address: string,
  data?: unknown,
  key: "live" | "sandbox" = "live",
): Promise<{ status: number; body: T }> {
  const response = await request.fetch(address, {
    method,
    headers: { Authorization: `Bearer ${quickstart().keys[key]}` },
    ...(data === undefined ? {} : { data }),
  });
  const text = await response.text();
  return { status: response.status(), body: (text === "" ? null : JSON.parse(text)) as T };
}

/** Puts a text into the editor's body, as pasted. */
export async function pasteBody(page: Page, text: string): Promise<void> {
  const body = page.getByRole("textbox", { name: /^body/i });
  await body.focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press("ControlOrMeta+V");
}
