import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { selectTemplateGroups } from "./library-queries.ts";
import type { GroupPlace, GroupRow } from "./library-queries.ts";
import type { TemplateGroup, TemplateGroupQuery } from "./library-schemas.ts";
import { templateScopes } from "./template-access.ts";

/** Variants of a group that one answer lists; its counts are over all of them. */
const shownVariants = 200;

/**
 * The library: templates that the actor may read, grouped by application and name, with their variants and what is live
 * where. In one statement, however long the list is. Sorted by name, or by last change with the newest first. A
 * template that changes meanwhile moves in the latter; nothing else is repeated or left out between pages.
 */
export async function listTemplateGroups(
  ctx: Ctx,
  input: TemplateGroupQuery,
): Promise<{ data: TemplateGroup[]; nextCursor: string | null }> {
  const rows = await selectTemplateGroups(ctx, {
    ...input,
    scopes: templateScopes(ctx, "templates:read"),
    after: input.cursor === undefined ? undefined : placeOf(input.cursor, input.sort),
    limit: input.limit + 1,
    variants: shownVariants,
  });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    data: page.map(toGroup),
    nextCursor: rows.length > input.limit && last ? cursorOf(last, input.sort) : null,
  };
}

const iso = (time: string) => new Date(time).toISOString();

function toGroup(row: GroupRow): TemplateGroup {
  return {
    ...row,
    changedAt: row.changedAt.toISOString(),
    changedBy: row.changedBy ?? "",
    variants: row.variants.map((variant) => ({
      ...variant,
      updatedAt: iso(variant.updatedAt),
      archivedAt: variant.archivedAt === null ? null : iso(variant.archivedAt),
    })),
  };
}

type Sort = TemplateGroupQuery["sort"];

function cursorOf(row: GroupRow, sort: Sort): string {
  const place = [
    sort,
    row.changedAt.getTime(),
    row.name,
    row.applicationId,
    row.notificationType,
    row.notificationSubtype,
  ];
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function placeOf(cursor: string, sort: Sort): GroupPlace {
  const parts = parsed(cursor);
  if (Array.isArray(parts) && parts.length === 6) {
    const [of, changed, ...texts] = parts as unknown[];
    const [name, applicationId, notificationType, notificationSubtype] = texts;
    if (
      of === sort &&
      Number.isSafeInteger(changed) &&
      Math.abs(changed as number) < 8.64e15 &&
      isPlain(name) &&
      isPlain(applicationId) &&
      isUuid(applicationId) &&
      isPlain(notificationType) &&
      isPlain(notificationSubtype)
    ) {
      return { changed: changed as number, name, applicationId, notificationType, notificationSubtype };
    }
  }
  throw new DomainError("invalid_cursor", "Pass nextCursor of the page before, with the same order.");
}

/** A text that Postgres can store. */
const isPlain = (value: unknown): value is string => typeof value === "string" && !value.includes("\0");

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown;
  } catch {
    return undefined;
  }
}
