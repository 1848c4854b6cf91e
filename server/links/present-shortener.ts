import { env } from "../kernel/env.ts";
import type { ShortenerSettings } from "./schemas.ts";
import { exampleLink } from "./shortener.ts";
import type { Shortener } from "./shortener.ts";

/** A shortener as the API presents it, without its secret. */
export function presentShortener(environment: string, shortener: Shortener): ShortenerSettings {
  return {
    environment,
    kind: shortener.kind,
    hasSecret: shortener.credentials !== null,
    domain: shortener.domain,
    account: shortener.account,
    processingRegion: shortener.processingRegion,
    baseUrl: shortener.baseUrl,
    validDays: shortener.validDays,
    example: exampleLink(shortener, env().shortUrl),
    testedAt: shortener.testedAt?.toISOString() ?? null,
    testProblem: shortener.testProblem,
    problemAt: shortener.problemAt?.toISOString() ?? null,
    problem: shortener.problem,
    updatedAt: shortener.updatedAt?.toISOString() ?? null,
  };
}
