import { env } from "../kernel/env.ts";
import type { RestContract } from "../operations/operation.ts";

const midnight = (date: string) => new Date(`${date}T00:00:00Z`);

/** Where the reference describes the operations of a tag. */
export const referencePath = (tag: string) => `/docs/reference/${tag.toLowerCase().replaceAll(" ", "-")}`;

/** Headers of every answer of a deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594) and where both are explained. */
export function deprecationHeaders(
  contract: Pick<RestContract, "tag" | "operationId" | "deprecated">,
): Record<string, string> {
  const { deprecated } = contract;
  if (!deprecated) return {};
  return {
    deprecation: `@${String(midnight(deprecated.since).getTime() / 1_000)}`,
    sunset: midnight(deprecated.sunset).toUTCString(),
    link: `<${env().publicUrl}${referencePath(contract.tag)}#${contract.operationId}>; rel="deprecation"; type="text/html"`,
  };
}

/** What the documentation says of it, in CommonMark. */
export function deprecationNote({ deprecated }: Pick<RestContract, "deprecated">): string | undefined {
  if (!deprecated) return undefined;
  const { since, sunset, use } = deprecated;
  return `**Deprecated** since ${since}, and available until ${sunset} at least. Use \`${use}\` instead.`;
}
