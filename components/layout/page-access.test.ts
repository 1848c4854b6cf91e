import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { builtInRoles } from "../../server/operations/permissions.ts";
import { visibleSections } from "../settings/settings-sections.ts";
import { navigation, visibleNavigation } from "./navigation.ts";
import { accessOf, mayOpen } from "./page-access.ts";
import type { PortalData } from "../portal/portal-context.tsx";

const folder = path.resolve(import.meta.dirname, "../../app/(portal)/[tenant]");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
  // The one for every other address says that there is no such page.
  .filter((file) => path.basename(file) === "page.tsx" && !file.includes("[..."))
  .map((file) => `/${path.dirname(file).split(path.sep).join("/")}`.replace(/^\/\.$/, ""))
  .sort();

const reader = (permissions: readonly string[], wide = true) =>
  ({
    permissions,
    permissionsByUnit: [
      { unitId: null, permissions: wide ? permissions : [] },
      { unitId: "a", permissions },
    ],
    environments: [{ id: "1", slug: "sandbox", name: "Sandbox", kind: "sandbox" }],
    hasMailbox: true,
  }) as unknown as PortalData;

test("every page of the portal says what one needs to see it", () => {
  expect(pages.length).toBeGreaterThan(60);
  for (const page of pages) expect(accessOf(page), page).toBeDefined();
});

test.each(Object.entries(builtInRoles))(
  "the role %s is led to no page that it may not open",
  (_, { permissions }) => {
    for (const wide of [true, false]) {
      const data = reader(permissions, wide);
      const led = new Set(visibleNavigation(data).map((item) => item.path));
      for (const item of navigation) {
        if (item.external || item.path === "/settings") continue;
        const access = accessOf(item.path);
        expect(Boolean(access && mayOpen(access, data)), item.path).toBe(led.has(item.path));
      }
      for (const section of visibleSections(data)) {
        const access = accessOf(`/settings${section.path}`);
        expect(access && mayOpen(access, data), section.path).toBe(true);
      }
    }
  },
);

test("a form is for those who may send it, the list beside it for those who may read", () => {
  const auditor = reader(builtInRoles.auditor.permissions);
  const may = (page: string) => {
    const access = accessOf(page);
    return !access || mayOpen(access, auditor);
  };
  expect(may("/providers")).toBe(true);
  expect(may("/providers/0190-a")).toBe(true);
  expect(may("/providers/new")).toBe(false);
  expect(may("/providers/0190-a/edit")).toBe(false);
  expect(may("/templates/new")).toBe(false);
  expect(may("/routing/rules/new")).toBe(false);
  expect(may("/api-keys")).toBe(false);
  expect(may("/account")).toBe(true);
});
