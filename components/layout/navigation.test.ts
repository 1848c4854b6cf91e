import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { permissions } from "../../server/access/schemas.ts";
import type { PortalData } from "../portal/portal-context.tsx";
import { settingsSections, visibleSections } from "../settings/settings-sections.ts";
import { navigation, visibleNavigation } from "./navigation.ts";

/** Somebody who may do this and nothing else, in an organisation that has everything. */
const reader = (held: readonly string[], wide = true): PortalData => ({
  brand: { logo: null, accent: null, onAccent: null },
  tenant: { id: "t", slug: "acme", name: "Acme" },
  user: { id: "u", name: "Ada", email: "ada@acme.example" },
  environments: [{ id: "e", slug: "sandbox", name: "Sandbox", kind: "sandbox" }] as never,
  units: [],
  applications: [],
  permissions: held,
  permissionsByUnit: [{ unitId: wide ? null : "team", permissions: held }],
  hasMailbox: true,
  organisations: [],
  otherOrganisations: false,
  drawnAt: 0,
});

describe("the navigation shows somebody what one of their permissions opens, and nothing else", () => {
  test.each(["", ...permissions])("%s", (held) => {
    const shown = visibleNavigation(reader(held === "" ? [] : [held])).map(({ path: place }) => place);
    for (const { path: place, permission = [] } of navigation) {
      if (place === "/settings") continue;
      const any = typeof permission === "string" ? [permission] : permission;
      expect(shown.includes(place), place).toBe(any.length === 0 || any.includes(held));
    }
    const sections = visibleSections(reader(held === "" ? [] : [held])).map(({ path: place }) => place);
    expect(sections).toEqual(
      settingsSections.filter(({ permission }) => permission === held).map(({ path: place }) => place),
    );
    expect(shown.includes("/settings")).toBe(sections.length > 0);
    // What is the whole organisation's is not shown to who may do it in one team.
    for (const { path: place, everywhere } of settingsSections) {
      if (!everywhere) continue;
      expect(
        visibleSections(reader([held], false)).map((section) => section.path),
        held,
      ).not.toContain(place);
    }
  });
});

test("every page can be reached: it, or what it is below, is in the navigation, in Settings or in one's own menu", () => {
  const folder = path.resolve(import.meta.dirname, "../../app/(portal)/[tenant]");
  const places = readdirSync(folder, { recursive: true, encoding: "utf8" })
    // The one for every other address says that there is no such page.
    .filter((file) => path.basename(file) === "page.tsx" && !file.includes("[..."))
    .map((file) => `/${path.dirname(file)}`.replace("/.", "/"));
  expect(places.length).toBeGreaterThan(40);
  const known = new Set([...navigation.map((item) => item.path), "/account", "/"]);
  const sections = new Set(settingsSections.map((section) => section.path));
  for (const place of places) {
    const [, first = "", second] = place.split("/");
    expect(known, place).toContain(`/${first}`);
    if (first === "settings" && second !== undefined) expect(sections, place).toContain(`/${second}`);
  }
});
