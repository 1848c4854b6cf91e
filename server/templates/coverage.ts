import { channels } from "../kernel/channel.ts";
import { chooseTemplate } from "./choose-template.ts";
import type { TemplateQuery } from "./choose-template.ts";
import type { CoverageRow } from "./library-queries.ts";
import type { CoverageCell, CoverageMatrix } from "./library-schemas.ts";
import type { LiveTemplate } from "./queries.ts";

/** Regions, languages and providers of a matrix, "any other" not counted. */
export const coverageLimits = { regions: 24, languages: 24, providers: 5 } as const;

interface CoverageFacts {
  /** All templates for the type and subtype, including those of other names. */
  rows: readonly CoverageRow[];
  name: string;
  defaultRegion: string;
  defaultLanguage: string;
}

/** Stands for every region, language or adapter that no template names: none of them can be empty. */
const other = "";

/**
 * For each channel that a name has: which template a message for each region and language would be made from, decided by
 * the same `chooseTemplate` as when it is sent.
 */
export function coverageOf(facts: CoverageFacts): { matrices: CoverageMatrix[]; truncated: boolean } {
  const own = facts.rows.filter((row) => row.name === facts.name);
  let truncated = false;
  const some = (values: (string | null)[], limit: number, first: string[] = []): (string | null)[] => {
    const named = new Set([...first, ...values.filter((value) => value !== null).sort()]);
    truncated ||= named.size > limit;
    return [...[...named].slice(0, limit), null];
  };
  const regions = some(
    own.map((row) => row.region),
    coverageLimits.regions,
    [facts.defaultRegion],
  );
  const languages = some(
    own.map((row) => row.language),
    coverageLimits.languages,
    [facts.defaultLanguage],
  );
  const matrices = channels
    .filter((channel) => own.some((row) => row.channel === channel))
    .flatMap((channel) => {
      const rows = facts.rows.filter((row) => row.channel === channel);
      const providers = some(
        own.filter((row) => row.channel === channel).map((row) => row.provider),
        coverageLimits.providers,
      );
      // A message through an adapter that no text names comes first: that is the usual case.
      return providers.toReversed().map((provider): CoverageMatrix => {
        const cellOf = cellDecider({ ...facts, rows }, channel, provider);
        const cells = regions.flatMap((region) => languages.map((language) => cellOf(region, language)));
        return { channel, provider, regions, languages, cells };
      });
    });
  return { matrices, truncated };
}

const asLive = (row: CoverageRow, version: number, disabled: boolean): LiveTemplate => ({
  ...row,
  version,
  disabled,
  variables: [],
});

const placeOf = ({ region, language, provider }: Pick<CoverageRow, "region" | "language" | "provider">) =>
  JSON.stringify([region, language, provider]);

function cellDecider(
  { rows, name, defaultLanguage }: CoverageFacts,
  channel: LiveTemplate["channel"],
  provider: string | null,
): (region: string | null, language: string | null) => CoverageCell {
  // A cell looks only at the texts that are for its place: there may be thousands for the others.
  const byPlace = Map.groupBy(rows, placeOf);
  return (region, language) => {
    const near = [...new Set([region, null])].flatMap((inRegion) =>
      [...new Set([language, defaultLanguage, null])].flatMap((inLanguage) =>
        [...new Set([provider, null])].flatMap(
          (through) =>
            byPlace.get(placeOf({ region: inRegion, language: inLanguage, provider: through })) ?? [],
        ),
      ),
    );
    const live = near.flatMap((row) =>
      row.version === null ? [] : [asLive(row, row.version, row.disabled)],
    );
    const all = near.map((row) => asLive(row, row.latestVersion, false));
    const query: TemplateQuery = {
      channel,
      region: region ?? other,
      language: language ?? other,
      defaultLanguage,
      provider: provider ?? undefined,
    };
    const { chosen } = chooseTemplate(live, { ...query, name });
    const best = chooseTemplate(all, { ...query, name }).chosen;
    const byType = chooseTemplate(live, query).chosen;
    const unused = best && best.id !== chosen?.id ? near.find((row) => row.id === best.id) : undefined;
    const cell = {
      region,
      language,
      templateId: chosen?.id ?? null,
      match: chosen && matchOf(chosen, query),
      byType: byType && byType.name !== name ? { templateId: byType.id, name: byType.name } : null,
      unused: unused
        ? {
            templateId: unused.id,
            because: unused.version === null ? ("not_live" as const) : ("switched_off" as const),
          }
        : null,
    };
    return { ...cell, why: whyOf(cell, query) };
  };
}

function matchOf(chosen: LiveTemplate, query: TemplateQuery): NonNullable<CoverageCell["match"]> {
  return {
    region: chosen.region === null ? "any" : "exact",
    language: chosen.language === null ? "any" : chosen.language === query.language ? "exact" : "default",
    provider: chosen.provider === null ? "any" : "exact",
  };
}

function whyOf(cell: Omit<CoverageCell, "why">, query: TemplateQuery): string {
  const refused = "such a request is refused as unknown_template.";
  if (!cell.match) {
    if (!cell.unused) return `Nothing fits: ${refused}`;
    return `The text that fits is ${cell.unused.because === "switched_off" ? "switched off" : "not live"} here: ${refused}`;
  }
  const sentences: string[] = [];
  if (cell.unused?.because === "switched_off")
    sentences.push("A text that fits better is switched off here.");
  if (cell.unused?.because === "not_live") sentences.push("A text that fits better is not live here.");
  const { region, language, provider } = cell.match;
  const languageReason = {
    exact: `In the language ${query.language} itself`,
    default: `In the default language ${query.defaultLanguage}${cell.language === null ? "" : `, as there is none in ${query.language}`}`,
    any:
      cell.language === null ? "For any language" : `For any language, as there is none in ${query.language}`,
  }[language];
  const regionReason =
    region === "exact"
      ? `for the region ${query.region} itself`
      : cell.region === null
        ? "for any region"
        : `for any region, as none of these is for ${query.region}`;
  const providerReason = provider === "exact" ? `, for the provider ${query.provider ?? ""}` : "";
  sentences.push(`${languageReason}; ${regionReason}${providerReason}.`);
  return sentences.join(" ");
}
