import type { LiveTemplate } from "./queries.ts";

/** The properties of a message that decide its template. */
export interface TemplateQuery {
  channel: LiveTemplate["channel"];
  region: string;
  language: string;
  /** The application's. */
  defaultLanguage: string;
  /** Adapter that would carry the message; without it only templates for any provider match. */
  provider?: string | undefined;
  name?: string | undefined;
}

export interface TemplateChoice {
  chosen: LiveTemplate | null;
  /** Every other candidate with the reason why it lost, the nearest first. */
  others: { template: LiveTemplate; why: string }[];
}

function mismatch(template: LiveTemplate, query: TemplateQuery): string | null {
  if (template.channel !== query.channel) return `it is for the channel ${template.channel}`;
  if (query.name !== undefined && template.name !== query.name) return "it has another name";
  if (template.region !== null && template.region !== query.region)
    return `it is for the region ${template.region}`;
  const { language, provider } = template;
  if (language !== null && language !== query.language && language !== query.defaultLanguage) {
    return `it is in the language ${language}`;
  }
  if (provider !== null && provider !== query.provider) return `it is for the provider ${provider}`;
  if (template.disabled) return "it is switched off in this environment";
  return null;
}

const languageRank = (template: LiveTemplate, query: TemplateQuery) =>
  template.language === null ? 0 : template.language === query.language ? 2 : 1;

/** Negative when `a` is more specific: language before region before provider. */
function compare(a: LiveTemplate, b: LiveTemplate, query: TemplateQuery): number {
  return (
    languageRank(b, query) - languageRank(a, query) ||
    Number(b.region !== null) - Number(a.region !== null) ||
    Number(b.provider !== null) - Number(a.provider !== null) ||
    // Two for the same audience cannot both exist, but the result must not depend on their order.
    (a.id < b.id ? -1 : 1)
  );
}

function whyLessSpecific(template: LiveTemplate, chosen: LiveTemplate, query: TemplateQuery): string {
  if (languageRank(chosen, query) > languageRank(template, query)) {
    return chosen.language === query.language
      ? `another one is in the language ${query.language} itself`
      : `another one is in the default language ${query.defaultLanguage}`;
  }
  if (chosen.region !== null && template.region === null)
    return `another one is for the region ${chosen.region} itself`;
  if (chosen.provider !== null && template.provider === null) {
    return `another one is for the provider ${chosen.provider} itself`;
  }
  return "another one of the same audience is older";
}

/**
 * The template of a message: the most specific match of those live in the environment, i.e. the exact language over the
 * application's default language over any, then exact region over any, then exact provider over any: people are written to
 * in their language first. One whose kill switch is on is not used.
 */
export function chooseTemplate(candidates: readonly LiveTemplate[], query: TemplateQuery): TemplateChoice {
  const fitting: LiveTemplate[] = [];
  const unfit: TemplateChoice["others"] = [];
  for (const template of candidates) {
    const why = mismatch(template, query);
    if (why === null) fitting.push(template);
    else unfit.push({ template, why });
  }
  fitting.sort((a, b) => compare(a, b, query));
  const [chosen, ...weaker] = fitting;
  if (!chosen) return { chosen: null, others: unfit };
  return {
    chosen,
    others: [
      ...weaker.map((template) => ({ template, why: whyLessSpecific(template, chosen, query) })),
      ...unfit,
    ],
  };
}
