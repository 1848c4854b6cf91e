import { describe, expect, it } from "vitest";
import { cellKind } from "./cell-kind.ts";
import { groupPath } from "./group-path.ts";
import { newTemplatePath } from "./new-template-path.ts";
import { libraryRows, type CoverageCell, type TemplateGroup } from "./types.ts";

const cell = (more: Partial<CoverageCell>): CoverageCell => ({
  region: "DE",
  language: "de",
  templateId: "t",
  match: { region: "exact", language: "exact", provider: "any" },
  why: "",
  byType: null,
  unused: null,
  ...more,
});

describe("a cell of the coverage", () => {
  it("is a gap only when nothing is used", () => {
    expect(cellKind(cell({ templateId: null, match: null }))).toBe("missing");
  });

  it("falls back only when the language is another one than was asked for", () => {
    const any = { region: "any", language: "any", provider: "any" } as const;
    expect(cellKind(cell({}))).toBe("made");
    expect(cellKind(cell({ match: { ...any, language: "exact" } }))).toBe("wide");
    expect(cellKind(cell({ match: { ...any, language: "default" } }))).toBe("fallback");
    expect(cellKind(cell({ match: any }))).toBe("fallback");
    // Whoever speaks a language that no text names is who a text for any language is for.
    expect(cellKind(cell({ language: null, match: any }))).toBe("wide");
    expect(cellKind(cell({ region: null, language: null, match: any }))).toBe("made");
    expect(cellKind(cell({ language: null, match: { ...any, language: "default" } }))).toBe("fallback");
  });
});

describe("the lines of the library", () => {
  const group = {
    applicationId: "a",
    name: "status",
    notificationType: "order",
    notificationSubtype: "x",
    matching: 3,
    variants: [{ id: "1" }, { id: "2" }],
  } as TemplateGroup;

  it("are names alone until one is opened, then its variants and what did not fit", () => {
    expect(libraryRows([group], () => false).map((row) => row.kind)).toEqual(["group"]);
    const open = libraryRows([group], () => true);
    expect(open.map((row) => row.kind)).toEqual(["group", "variant", "variant", "rest"]);
    expect(open.at(-1)).toMatchObject({ count: 1 });
    expect(new Set(open.map((row) => row.id)).size).toBe(open.length);
  });
});

describe("addresses", () => {
  it("hold names that contain anything a name may contain", () => {
    expect(groupPath({ application: "shop", name: "a.b-c_d" })).toBe("/templates/by-name/shop/a.b-c_d");
    const [path, query] = newTemplatePath({ channel: "sms", region: null, notificationType: "order" });
    expect(path).toBe("/templates/new");
    expect(query).toMatchObject({ channel: "sms", region: null, type: "order" });
  });
});
