import type { Ctx } from "../kernel/ctx.ts";
import { authorizeSomewhere } from "../operations/authorize.ts";
import { selectTestedVersions } from "./notification-queries.ts";

/** The key of a version in the result of `testedVersions`. */
export const versionKey = (templateId: string, version: number) => `${templateId} ${String(version)}`;

/**
 * Which of the versions were sent in a test that the provider accepted (`sent` or `delivered`), in any environment but
 * the sandbox, which calls no provider. One statement, however many there are. Needs templates:read somewhere; the
 * caller has authorised the templates themselves.
 */
export async function testedVersions(
  ctx: Ctx,
  versions: readonly { templateId: string; version: number }[],
): Promise<Set<string>> {
  authorizeSomewhere(ctx, "templates:read");
  if (versions.length === 0) return new Set();
  const rows = await selectTestedVersions(ctx, versions);
  return new Set(rows.map((row) => versionKey(row.templateId, row.version)));
}
