import { createHash, randomInt } from "node:crypto";
import { Batcher } from "../kernel/batcher.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { env } from "../kernel/env.ts";
import { idOfHex } from "../kernel/ids.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { perDb } from "../kernel/per-db.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import type { TenantResidency } from "../tenancy/residency.ts";
import { shortenByService, patienceMs } from "./shorten-by-service.ts";
import { environmentShortener } from "./load-shorteners.ts";
import { insertLinks, selectLinks } from "./queries.ts";
import type { KnownLink, WantedLink } from "./queries.ts";
import { isService } from "./vocabulary.ts";
import type { ServiceKind } from "./vocabulary.ts";
import { describeProblem } from "./services.ts";
import type { LinkProblemCode } from "./services.ts";
import { builtInUrl, codeAlphabet, codeLength } from "./shortener.ts";
import type { Shortener } from "./shortener.ts";

/** What short links need of their message. */
export interface LinkSource {
  notificationId: string;
  environmentId: string;
  sandbox: boolean;
  tenant: TenantResidency;
}

/** Why addresses of a message stayed long. */
export interface LinkProblem {
  code: LinkProblemCode;
  detail: string;
}

/** Short links of one message; further addresses stay long. */
const maxLinks = 20;

/**
 * The short form of each address of a message, by the shortener of its environment. The same message and address have
 * the same link at every attempt. An address that could not be shortened is missing, and `problem` says why; resolves
 * within 3 s whatever the service does. Nothing leaves the sandbox: it uses the built-in shortener.
 */
export async function shortLinks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  source: LinkSource,
  addresses: ReadonlySet<string>,
  deps: { http: OutboundClient },
): Promise<{ links: Map<string, string>; problem: LinkProblem | null }> {
  const shortener = await environmentShortener(ctx, source.environmentId);
  const urls = [...addresses].slice(0, maxLinks);
  if (shortener.kind === "none") return { links: new Map(), problem: null };
  if (source.sandbox || !isService(shortener.kind)) {
    const links = await Promise.all(urls.map((url) => builtInLink(ctx, source, url, shortener.validDays)));
    return { links: new Map(urls.map((url, index) => [url, links[index] ?? url])), problem: null };
  }
  return serviceLinks(ctx, source, urls, { ...shortener, kind: shortener.kind }, deps.http);
}

/** Derived from message and address (UUIDv8), so that a link is created once however often the message is tried. */
function linkId(notificationId: string, url: string): string {
  const hash = createHash("sha256").update(`${notificationId} ${url}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return idOfHex(hash.toString("hex", 0, 16));
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join(
    "",
  );
}

/** Links of messages that are rendered at the same moment share a round trip. */
const storeOf = perDb("short-links", (db) => {
  const keyOf = ({ tenantId, id }: { tenantId: string; id: string }) => `${tenantId} ${id}`;
  return new Batcher<WantedLink, KnownLink | undefined>(
    async (links) => {
      const rows = new Map((await insertLinks(db, links)).map((row) => [keyOf(row), row]));
      return links.map((link) => rows.get(keyOf(link)));
    },
    { delayMs: 0, maxItems: 100, maxParallel: 2, exclusiveKey: keyOf },
  );
});

const isTaken = (error: unknown) => (error as { code?: unknown } | null)?.code === "23505";

async function builtInLink(
  ctx: Pick<Ctx, "db" | "tenantId">,
  source: LinkSource,
  url: string,
  validDays: number,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const code = newCode();
    const shortUrl = builtInUrl(env().shortUrl, code);
    try {
      const made = await storeOf(ctx.db).add({ ...rowOf(ctx, source, url), code, shortUrl, validDays });
      return made?.shortUrl ?? shortUrl;
    } catch (error) {
      // Once in a very long time the code is taken.
      if (!isTaken(error) || attempt === 3) throw error;
    }
  }
}

function rowOf(ctx: Pick<Ctx, "tenantId">, source: LinkSource, url: string) {
  const { notificationId, sandbox } = source;
  return { tenantId: ctx.tenantId, id: linkId(notificationId, url), notificationId, sandbox, url };
}

async function serviceLinks(
  ctx: Pick<Ctx, "db" | "tenantId">,
  source: LinkSource,
  urls: readonly string[],
  shortener: Shortener & { kind: ServiceKind },
  http: OutboundClient,
): Promise<{ links: Map<string, string>; problem: LinkProblem | null }> {
  const deadline = Date.now() + patienceMs;
  const byId = new Map(urls.map((url) => [linkId(source.notificationId, url), url]));
  const links = new Map<string, string>();
  for (const { id, shortUrl } of await selectLinks(ctx, [...byId.keys()])) {
    const url = byId.get(id);
    if (url !== undefined) links.set(url, shortUrl);
  }
  const missing = urls.filter((url) => !links.has(url));
  if (missing.length === 0) return { links, problem: null };
  let problem: LinkProblem | null = null;
  const fail = (code: LinkProblemCode) => {
    problem ??= {
      code,
      detail: `${describeProblem(code, shortener.kind)} The message carries the long address.`,
    };
  };
  if (!allowedRegions(source.tenant).has(shortener.processingRegion ?? "")) {
    fail("region_not_allowed");
    return { links, problem };
  }
  const answers = await Promise.all(
    missing.map((url) => shortenByService(shortener, url, { http, deadline })),
  );
  const made: WantedLink[] = [];
  answers.forEach((answer, index) => {
    const url = missing[index] ?? "";
    if (!answer.ok) {
      fail(answer.code);
      return;
    }
    links.set(url, answer.shortUrl);
    const { shortUrl } = answer;
    made.push({ ...rowOf(ctx, source, url), code: null, shortUrl, validDays: shortener.validDays });
  });
  await Promise.all(made.map((link) => storeOf(ctx.db).add(link)));
  return { links, problem };
}
