/** The jobs of the render thread; render-pool.ts sends them, render-thread.ts passes the messages on. */
import { LRUCache } from "lru-cache";
import type { CheckedText } from "../content-checks/checks.ts";
import type { LocatedFinding } from "../content-checks/locate-findings.ts";
import type { Finding } from "../content-checks/schemas.ts";
import { outsideVariables, parseText } from "../template-language/liquid-engine.ts";
import type { RenderSettings } from "../template-language/liquid-filters.ts";
import type { MjmlCompiler } from "../template-language/mjml.ts";
import { compileVersion, renderCompiled } from "../template-language/render.ts";
import type {
  CompiledVersion,
  RenderResult,
  TemplateProblem,
  VersionContent,
} from "../template-language/render.ts";

/** Settings of a render in the thread, with the links that are known so far. */
export interface ThreadSettings extends Pick<RenderSettings, "locale" | "language" | "timezone"> {
  links: ReadonlyMap<string, string>;
}

/** The result, and the addresses that `shorten` was called with. */
export interface ThreadResult {
  result: RenderResult;
  addresses: string[];
}

export type TextJob =
  | {
      do: "render";
      /** The thread keeps the parsed version under this name; null: it is rendered once. */
      key: string | null;
      /** Null: the thread may have it. */
      content: VersionContent | null;
      values: Readonly<Record<string, string>>;
      settings: ThreadSettings;
    }
  | {
      do: "examine";
      content: VersionContent;
      /** Also try the longest values. */
      longest: boolean;
      /** Of the texts, e.g. "de". */
      language: string | null;
      render: { values: Readonly<Record<string, string>>; settings: ThreadSettings } | null;
    }
  | { do: "variables"; texts: readonly string[] }
  | { do: "check"; texts: readonly CheckedText[] }
  | {
      do: "place";
      findings: readonly LocatedFinding[];
      texts: readonly CheckedText[];
      variables: readonly string[];
    };

export interface TextAnswers {
  /** Null: the content is needed. */
  render: ThreadResult | null;
  examine: ExaminedTexts & { rendered: ThreadResult | null };
  /** Names of the outside variables; null for a text that does not parse. */
  variables: (string[] | null)[];
  /** For each text, what the deterministic checks find in it. */
  check: Finding[][];
  place: Finding[];
}

/** The result of examining a content. */
export interface ExaminedTexts {
  /** With its compiled body; null when it cannot be compiled. */
  content: VersionContent | null;
  problems: TemplateProblem[];
  /** The texts that a recipient may read, as written. */
  texts: CheckedText[];
  /** Of the deterministic checks. */
  findings: Finding[];
}

/** More addresses than a message has room for. */
const maxAddresses = 1_000;

const versions = new LRUCache<string, CompiledVersion>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ size }) => size,
});

function compiled(key: string | null, content: VersionContent | null): CompiledVersion | undefined {
  const known = key === null ? undefined : versions.get(key);
  if (known || !content) return known;
  const version = compileVersion(content);
  if (key !== null) versions.set(key, version);
  return version;
}

function render(
  version: CompiledVersion,
  values: Readonly<Record<string, string>>,
  { links, ...settings }: ThreadSettings,
): ThreadResult {
  const addresses = new Set<string>();
  const shorten = (url: string) => {
    if (addresses.size < maxAddresses) addresses.add(url);
    return links.get(url) ?? url;
  };
  return { result: renderCompiled(version, values, { ...settings, shorten }), addresses: [...addresses] };
}

/** Does one job. @param compile compiles MJML, elsewhere */
export async function work(job: TextJob, compile: MjmlCompiler): Promise<TextAnswers[TextJob["do"]]> {
  switch (job.do) {
    case "render": {
      const version = compiled(job.key, job.content);
      return version ? render(version, job.values, job.settings) : null;
    }
    case "examine":
      return examine(job, compile);
    case "variables":
      return job.texts.map((text) => {
        try {
          return [...new Set(outsideVariables(parseText(text, "text")).map(({ name }) => name))];
        } catch {
          return null;
        }
      });
    case "check": {
      const { checkTexts } = await import("../content-checks/checks.ts");
      return job.texts.map((text) => checkTexts([text]));
    }
    case "place": {
      const { locateFindings } = await import("../content-checks/locate-findings.ts");
      return locateFindings(job.findings, job.texts, job.variables);
    }
  }
}

async function examine(
  job: Extract<TextJob, { do: "examine" }>,
  compile: MjmlCompiler,
): Promise<TextAnswers["examine"]> {
  // Only sending needs none of these.
  const [{ checkContent }, { checkTexts }, { moderatedTexts }, { renderedTexts }] = await Promise.all([
    import("../template-language/check-content.ts"),
    import("../content-checks/checks.ts"),
    import("./moderated-texts.ts"),
    import("./rendered-texts.ts"),
  ]);
  const check = await checkContent(job.content, { compile, longest: job.longest });
  const version = check.compiled;
  if (!version) return { content: null, problems: check.problems, texts: [], findings: [], rendered: null };
  const texts = moderatedTexts(version);
  return {
    content: version.content,
    problems: check.problems,
    texts,
    findings: checkTexts(texts, {
      language: job.language,
      // A preview is asked for with every key press; the save looks at what its texts become, too.
      rendered: job.render || check.problems.length > 0 ? [] : renderedTexts(version),
    }),
    rendered: job.render ? render(version, job.render.values, job.render.settings) : null,
  };
}
