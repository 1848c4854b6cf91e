import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { chooseTemplate } from "./choose-template.ts";
import { coverageOf } from "./coverage.ts";
import { createTemplate } from "./create-template.ts";
import { getCoverage } from "./get-coverage.ts";
import type { CoverageRow } from "./library-queries.ts";
import { liveTemplates, liveTemplatesByName } from "./resolve-template.ts";
import { templateCreateSchema } from "./schemas.ts";

const database = await testDatabase();

const row = (
  region: string | null,
  language: string | null,
  provider: string | null,
  more: Partial<CoverageRow> = {},
): CoverageRow => ({
  id: [more.name ?? "status", region, language, provider].join("/"),
  name: "status",
  notificationType: "order",
  notificationSubtype: "order_status",
  channel: "sms",
  region,
  language,
  provider,
  latestVersion: 2,
  version: 1,
  disabled: false,
  ...more,
});
const facts = { name: "status", defaultRegion: "DE", defaultLanguage: "en" };
/** The stand-ins for "any other" cannot be named by a template. */
const asked = (value: string | null) => value ?? "??";

function expected(rows: readonly CoverageRow[], channel: "sms" | "email", byName: boolean) {
  const live = rows
    .filter((each) => each.version !== null)
    .map((each) => ({ ...each, version: each.version ?? 0, variables: [] }));
  return (region: string | null, language: string | null, provider: string | null) =>
    chooseTemplate(live, {
      channel,
      region: asked(region),
      language: asked(language),
      defaultLanguage: "en",
      provider: provider ?? undefined,
      ...(byName ? { name: "status" } : {}),
    }).chosen?.id ?? null;
}

describe("coverage", () => {
  it("takes no time that others would notice, however many variants a name has", () => {
    const places = Array.from({ length: 24 }, (_, index) => String.fromCharCode(65 + index));
    const rows = places.flatMap((region) =>
      places.flatMap((language) =>
        ["a", "b", "c", "d", "e"].map((provider) =>
          row(`X${region}`, `x${language.toLowerCase()}`, provider),
        ),
      ),
    );
    const began = process.cpuUsage();
    const { matrices } = coverageOf({ ...facts, rows });
    const { user, system } = process.cpuUsage(began);
    expect(matrices).toHaveLength(6);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  it("shows exactly what a send would choose, for every set of up to three variants in every state", () => {
    const variants = ["DE", null].flatMap((region) =>
      ["en", "de", null].flatMap((language) =>
        ["twilio", null].map((provider) => row(region, language, provider)),
      ),
    );
    const states: Partial<CoverageRow>[] = [{}, { disabled: true }, { version: null }];
    let cells = 0;
    for (const [i, a] of variants.entries()) {
      for (const [j, b] of variants.slice(i + 1).entries()) {
        for (const c of [undefined, ...variants.slice(i + j + 2)]) {
          for (const state of states) {
            const rows = [a, { ...b, ...state }, ...(c ? [c] : [])];
            const choose = expected(rows, "sms", true);
            for (const matrix of coverageOf({ ...facts, rows }).matrices) {
              for (const cell of matrix.cells) {
                cells++;
                const chosen = choose(cell.region, cell.language, matrix.provider);
                if (cell.templateId !== chosen) expect({ rows, cell, matrix }).toEqual({ chosen });
                if ((cell.match === null) !== (chosen === null)) expect({ rows, cell }).toBe("a match");
                const used = rows.find((each) => each.id === cell.templateId);
                if (cell.match?.region === "exact" && used?.region !== cell.region)
                  expect(cell).toBe("of that region");
                if (cell.match?.language === "exact" && used?.language !== cell.language)
                  expect(cell).toBe("in that language");
                if (cell.match?.language === "default" && used?.language !== "en")
                  expect(cell).toBe("in the default language");
              }
            }
          }
        }
      }
    }
    expect(cells).toBeGreaterThan(5_000);
  });

  it("has a row and a column for all that variants name, the defaults, and any other", () => {
    const { matrices } = coverageOf({
      ...facts,
      rows: [row("FR", "fr", null), row(null, "de", "twilio", { channel: "email" })],
    });
    expect(matrices.map(({ channel, provider }) => [channel, provider])).toEqual([
      ["sms", null],
      ["email", null],
      ["email", "twilio"],
    ]);
    for (const matrix of matrices) {
      expect(matrix.regions).toEqual(["DE", "FR", null]);
      expect(matrix.languages).toEqual(["en", "de", "fr", null]);
      expect(matrix.cells.map((cell) => [cell.region, cell.language])).toEqual(
        matrix.regions.flatMap((region) => matrix.languages.map((language) => [region, language])),
      );
    }
  });

  it("names the better text that is not used here, and says why", () => {
    const cellOf = (rows: CoverageRow[]) =>
      coverageOf({ ...facts, rows }).matrices[0]?.cells.find(
        (cell) => cell.region === "DE" && cell.language === "en",
      );
    const general = row(null, null, null);
    expect(cellOf([general, row("DE", null, null, { disabled: true })])).toMatchObject({
      templateId: general.id,
      match: { region: "any", language: "any", provider: "any" },
      unused: { templateId: "status/DE//", because: "switched_off" },
      why: "A text that fits better is switched off here. For any language, as there is none in en; for any region, as none of these is for DE.",
    });
    expect(cellOf([row("DE", "en", null, { version: null })])).toMatchObject({
      templateId: null,
      match: null,
      unused: { because: "not_live" },
      why: expect.stringContaining("unknown_template") as unknown,
    });
  });

  it("prefers the language to the region, and says so", () => {
    const cell = coverageOf({
      ...facts,
      rows: [row("DE", "en", null), row(null, "de", null)],
    }).matrices[0]?.cells.find(({ region, language }) => region === "DE" && language === "de");
    expect(cell).toMatchObject({
      templateId: "status//de/",
      match: { region: "any", language: "exact", provider: "any" },
      why: "In the language de itself; for any region, as none of these is for DE.",
    });
  });

  it("shows when a request by type gets a text of another name", () => {
    const { matrices } = coverageOf({
      ...facts,
      rows: [row(null, null, null), row("DE", null, null, { name: "other" })],
    });
    const [here, elsewhere] = [matrices[0]?.cells[0], matrices[0]?.cells.at(-1)];
    expect(here).toMatchObject({ templateId: "status///", byType: { name: "other" } });
    expect(elsewhere).toMatchObject({ templateId: "status///", byType: null });
  });

  it("stays bounded however many regions and languages there are, and says that some are left out", () => {
    const rows = Array.from({ length: 26 * 26 }, (_, n) => {
      const code = String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26));
      return row(code, code.toLowerCase(), null);
    });
    const { matrices, truncated } = coverageOf({ ...facts, rows });
    expect(truncated).toBe(true);
    expect(matrices[0]?.cells).toHaveLength(25 * 25);
  });

  it("from the database is what sends find there, by name and by type, in each environment", async () => {
    const tenant = await makeTenant(database);
    const make = (name: string, more: Record<string, unknown>) =>
      createTemplate(
        tenant.system,
        templateCreateSchema.parse({
          application: "shop",
          name,
          notificationType: "order",
          notificationSubtype: "order_status",
          channel: "sms",
          body: "Text",
          ...more,
        }),
      );
    const general = await make("status", {});
    const german = await make("status", { region: "DE", language: "de" });
    const english = await make("status", { language: "en" });
    const other = await make("status-at", { region: "AT" });
    const { production, staging } = tenant.environments;
    for (const [template, disabled] of [
      [general, false],
      [german, true],
      [other, false],
    ] as const) {
      await database.owner.query(
        `INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, disabled, deployed_at)
         VALUES ($1, $2, $3, 1, $4, now())`,
        [tenant.tenantId, template.id, production, disabled],
      );
    }
    for (const environmentId of [production, staging]) {
      const where = { environmentId, applicationId: tenant.application.id };
      const byName = await liveTemplatesByName(tenant.system, { ...where, name: "status" });
      const byType = await liveTemplates(tenant.system, {
        ...where,
        notificationType: "order",
        notificationSubtype: "order_status",
      });
      const coverage = await getCoverage(tenant.system, {
        application: "shop",
        name: "status",
        environmentId,
      });
      const cells = coverage.matrices.flatMap((matrix) => matrix.cells);
      expect(cells).toHaveLength(2 * 3);
      for (const cell of cells) {
        const query = {
          channel: "sms" as const,
          region: asked(cell.region),
          language: asked(cell.language),
          defaultLanguage: "en",
        };
        expect(cell.templateId).toBe(chooseTemplate(byName, query).chosen?.id ?? null);
        const typed = chooseTemplate(byType, query).chosen;
        expect(cell.byType?.templateId).toBe(typed?.name === "status" ? undefined : typed?.id);
      }
      const notLive = cells.filter((cell) => cell.unused?.templateId === english.id);
      expect(notLive.length > 0).toBe(environmentId === production);
      expect(coverage.templates.map(({ id }) => id)).toEqual([general.id, german.id, english.id]);
    }
  });
});
