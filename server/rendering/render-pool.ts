import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { CheckedText } from "../content-checks/checks.ts";
import { locateFindings } from "../content-checks/locate-findings.ts";
import type { LocatedFinding } from "../content-checks/locate-findings.ts";
import type { Finding } from "../content-checks/schemas.ts";
import { DomainError } from "../kernel/errors.ts";
import { BusyError, JobThread, TooSlowError } from "../kernel/job-thread.ts";
import type { JobBudget } from "../kernel/job-thread.ts";
import { slowProblem } from "../template-language/check-content.ts";
import { renderLimits } from "../template-language/liquid-engine.ts";
import type { RenderSettings } from "../template-language/liquid-filters.ts";
import { compileVersion, liquidCharacters, renderCompiled } from "../template-language/render.ts";
import type {
  CompiledVersion,
  RenderFailure,
  RenderResult,
  VersionContent,
} from "../template-language/render.ts";
import { inlineCharacters, inlineCost, renderCost } from "./render-cost.ts";
import type { RenderCost } from "./render-cost.ts";
import type { ThreadResult, ThreadSettings, ExaminedTexts, TextAnswers, TextJob } from "./render-work.ts";

/** Budgets of the render thread. A message of a usual size takes less than a millisecond. */
const budgets = {
  /** Five times what a save allows: other machines are slower, and an engine's first use of anything takes longer. */
  send: { cpuMs: 5 * renderLimits.sendMs, wallMs: 3_000 },
  /** A version that the thread has not parsed yet. */
  firstSend: { cpuMs: 5 * renderLimits.sendMs + 200, wallMs: 5_000 },
  examine: { cpuMs: 2_000, wallMs: 10_000 },
  place: { cpuMs: 1_000, wallMs: 5_000 },
} as const satisfies Record<string, JobBudget>;

/**
 * MiB of the thread's heap. Reaching it could end the process, so the engine's own limits end a render far below, at a
 * fifth of this.
 */
const heapMb = 256;

function startPool(): JobThread {
  return new JobThread({
    name: "rendering",
    spawn: () => {
      // From the sources, which Node runs directly, whatever a bundler has made of this module.
      const file = path.join(process.cwd(), "server", "rendering", "render-thread.ts");
      return new Worker(/* turbopackIgnore: true */ file, {
        // The thread gets none of the process's secrets.
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
      });
    },
    ask: async (tenantId, question) => {
      const { runCompiler } = await import("../template-language/mjml-compiler.ts");
      const { source, maxCharacters } = question as { source: string; maxCharacters: number };
      return runCompiler(tenantId, source, maxCharacters);
    },
    allowance: { atOnce: 4_000, perSecond: 600 },
    waiting: { all: 1_024, each: 512 },
    waitMs: 10_000,
    idleMs: 60_000,
  });
}

interface Pool {
  thread: JobThread;
  /** How often each version was too slow in this process. */
  slow: LRUCache<string, number>;
}
const key = Symbol.for("tidings.rendering");
// On globalThis because Next loads a module once per bundle, and one thread is enough.
const shared = globalThis as typeof globalThis & { [key]?: Pool };
const pool = (): Pool =>
  (shared[key] ??= {
    thread: startPool(),
    slow: new LRUCache<string, number>({ max: 10_000, ttl: 10 * 60_000 }),
  });

function run<Kind extends TextJob["do"]>(
  tenantId: string,
  job: Extract<TextJob, { do: Kind }>,
  budget: JobBudget,
): Promise<TextAnswers[Kind]> {
  return pool().thread.run(tenantId, job, budget) as Promise<TextAnswers[Kind]>;
}

/** Waits for the tenant's turn up to `patienceMs`, then throws `service_overloaded`. */
async function runWhenFree<Kind extends TextJob["do"]>(
  tenantId: string,
  job: Extract<TextJob, { do: Kind }>,
  budget: JobBudget,
  patienceMs: number,
): Promise<TextAnswers[Kind]> {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return await run(tenantId, job, budget);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      if (error.retryAt > until) {
        throw new DomainError(
          "service_overloaded",
          "The organisation's texts take much time to check just now. Try again shortly.",
          { retryAfter: Math.max(1, Math.ceil((error.retryAt - Date.now()) / 1_000)) },
        );
      }
      await sleep(Math.max(1, error.retryAt - Date.now()));
    }
  }
}

/** Finds the links of the addresses, and renders again when there are any. */
async function withLinks(
  first: ThreadResult,
  shorten: RenderSettings["shorten"],
  again: (links: ReadonlyMap<string, string>) => Promise<ThreadResult>,
): Promise<RenderResult> {
  if (!shorten) return first.result;
  const links = new Map(first.addresses.map((url) => [url, shorten(url)]));
  return [...links].some(([url, link]) => url !== link) ? (await again(links)).result : first.result;
}

const threadSettings = (settings: RenderSettings, links: ReadonlyMap<string, string>): ThreadSettings => ({
  locale: settings.locale,
  language: settings.language,
  timezone: settings.timezone,
  links,
});
const noLinks: ReadonlyMap<string, string> = new Map();

/** A version as processes cache it: compiled, if it is small enough to be parsed inline. */
export interface StoredVersion {
  tenantId: string;
  /** Unique key of the version. */
  key: string;
  content: VersionContent;
  /** Of its template; null: any. */
  language: string | null;
  compiled: CompiledVersion | null;
  /** Null: only the thread renders it. */
  cost: RenderCost | null;
  /** Approximate size in memory, bytes. */
  size: number;
}

/** Throws `invalid_template` for one that cannot be parsed, which no saved version is. */
export function storedVersion(
  tenantId: string,
  key: string,
  content: VersionContent,
  language: string | null = null,
): StoredVersion {
  const characters = liquidCharacters(content);
  if (characters > inlineCharacters) {
    return { tenantId, key, content, language, compiled: null, cost: null, size: 1_024 + 2 * characters };
  }
  const compiled = compileVersion(content);
  const cost = renderCost(compiled.parts.values(), content.variables);
  return { tenantId, key, content, language, compiled: cost && compiled, cost, size: compiled.size };
}

/** Whether a message with these values is rendered inline. */
export function isRenderedInline(
  { compiled, cost }: Pick<StoredVersion, "compiled" | "cost">,
  values: Readonly<Record<string, string>>,
): boolean {
  return compiled !== null && cost !== null && cost.of(values) <= inlineCost;
}

/** How long one turn of the event loop may render inline, ms; then other work gets its turn. */
const turnMs = 5;
/** Spent in this turn, ms, and its end. */
let spentMs = 0;
let turnOver: Promise<void> | undefined;

/**
 * Renders inline. Many ready messages would otherwise be rendered one after the other before the process does anything
 * else.
 */
async function renderInline(
  compiled: CompiledVersion,
  values: Readonly<Record<string, string>>,
  settings: RenderSettings,
): Promise<RenderResult> {
  while (spentMs >= turnMs) await turnOver;
  turnOver ??= new Promise((resolve) => {
    setImmediate(() => {
      spentMs = 0;
      turnOver = undefined;
      resolve();
    });
  });
  const before = performance.now();
  try {
    return renderCompiled(compiled, values, settings);
  } finally {
    spentMs += performance.now() - before;
  }
}

/** A message that cannot be rendered now: when to retry, ms since the epoch. */
export type LaterRender = { ok: false; retryAt: number };

/**
 * Renders a message of a stored version: inline when its cost is known to be small, otherwise in the thread, within the
 * budget of a send. Never throws, whatever the values are.
 */
export async function renderVersion(
  version: StoredVersion,
  values: Readonly<Record<string, string>>,
  settings: RenderSettings,
): Promise<RenderResult | LaterRender> {
  if (version.compiled && isRenderedInline(version, values))
    return renderInline(version.compiled, values, settings);
  const { slow } = pool();
  if ((slow.get(version.key) ?? 0) >= 3) return { ok: false, failure: tooSlow };
  try {
    const first = await renderInThread(version, values, threadSettings(settings, noLinks));
    return await withLinks(first, settings.shorten, (links) =>
      renderInThread(version, values, threadSettings(settings, links)),
    );
  } catch (error) {
    if (error instanceof BusyError) return { ok: false, retryAt: error.retryAt };
    if (!(error instanceof TooSlowError)) throw error;
    slow.set(version.key, (slow.get(version.key) ?? 0) + 1);
    return { ok: false, failure: tooSlow };
  }
}

async function renderInThread(
  { tenantId, key: name, content }: StoredVersion,
  values: Readonly<Record<string, string>>,
  settings: ThreadSettings,
): Promise<ThreadResult> {
  const job = { do: "render", key: name, values, settings } as const;
  const known = await run(tenantId, { ...job, content: null }, budgets.send);
  if (known) return known;
  const rendered = await run(tenantId, { ...job, content }, budgets.firstSend);
  if (!rendered) throw new Error("the thread rendered nothing of a content that it was given");
  return rendered;
}

const tooSlow: RenderFailure = {
  code: "too_slow",
  detail: `it takes too long. With the values of this message it needs more than ${String(budgets.send.cpuMs)} ms of processor time; limit its loops.`,
  line: null,
  column: null,
  pointer: "/body",
};

/**
 * Examines a content in the thread, for a save or a preview. Throws `service_overloaded` when the tenant's turn does
 * not come in time.
 */
export async function examineTexts(
  tenantId: string,
  content: VersionContent,
  options: {
    patienceMs: number;
    /** Of the texts, e.g. "de"; null: any. */
    language: string | null;
    /** Also renders it with these values; it is then not tried with the longest values, which only saves need. */
    render?: { values: Readonly<Record<string, string>>; settings: RenderSettings };
  },
): Promise<ExaminedTexts & { rendered: RenderResult | null }> {
  const { render, patienceMs, language } = options;
  try {
    const { rendered, ...examined } = await runWhenFree(
      tenantId,
      {
        do: "examine",
        content,
        longest: !render,
        language,
        render: render ? { values: render.values, settings: threadSettings(render.settings, noLinks) } : null,
      },
      budgets.examine,
      patienceMs,
    );
    if (!rendered || !render || !examined.content) return { ...examined, rendered: null };
    const { content: compiledContent } = examined;
    const result = await withLinks(rendered, render.settings.shorten, async (links) => {
      const settings = threadSettings(render.settings, links);
      const job = {
        do: "render",
        key: null,
        content: compiledContent,
        values: render.values,
        settings,
      } as const;
      const again = await runWhenFree(tenantId, job, budgets.examine, patienceMs);
      return again ?? rendered;
    });
    return { ...examined, rendered: result };
  } catch (error) {
    if (!(error instanceof TooSlowError)) throw error;
    return { content: null, problems: [slowProblem], texts: [], findings: [], rendered: null };
  }
}

/** The outside variables of each text; null for one that does not parse, or takes too long to. */
export async function outsideNames(tenantId: string, texts: string[]): Promise<(string[] | null)[]> {
  try {
    return await runWhenFree(tenantId, { do: "variables", texts }, budgets.examine, 2_000);
  } catch (error) {
    if (!(error instanceof TooSlowError)) throw error;
    return texts.map(() => null);
  }
}

/**
 * What the deterministic checks find in each text. Throws `service_overloaded` when the tenant's turn does not come in
 * time, or the checks take too long.
 */
export async function checkInThread(tenantId: string, texts: readonly CheckedText[]): Promise<Finding[][]> {
  try {
    return await runWhenFree(tenantId, { do: "check", texts }, budgets.examine, 5_000);
  } catch (error) {
    if (!(error instanceof TooSlowError)) throw error;
    throw new DomainError("service_overloaded", "The texts take too long to check. Shorten them.", {
      retryAfter: 5,
    });
  }
}

/** Locates a model's findings, as locateFindings does; when that takes too long, each covers a whole text. */
export async function locateInThread(
  tenantId: string,
  findings: LocatedFinding[],
  texts: readonly CheckedText[],
  variables: readonly string[],
): Promise<Finding[]> {
  try {
    const job = { do: "place", findings, texts, variables } as const;
    return await runWhenFree(tenantId, job, budgets.place, 5_000);
  } catch (error) {
    if (!(error instanceof TooSlowError)) throw error;
    return locateFindings(
      findings.slice(0, 100).map((finding) => ({ ...finding, excerpt: "", suggestion: null })),
      texts,
      [],
    );
  }
}
