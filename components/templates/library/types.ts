import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../../../server/trpc/root.ts";

type Outputs = inferRouterOutputs<AppRouter>["templates"];

export type TemplateGroup = Outputs["groups"]["data"][number];
export type TemplateVariant = TemplateGroup["variants"][number];
export type Coverage = Outputs["coverage"];
export type CoverageMatrix = Coverage["matrices"][number];
export type CoverageCell = CoverageMatrix["cells"][number];

/** What actions on a template need to know of it. */
export type TemplateFacts = {
  id: string;
  application: string;
  applicationId: string;
  name: string;
  notificationType: string;
  notificationSubtype: string;
  channel: TemplateVariant["channel"];
  region: string | null;
  language: string | null;
  provider: string | null;
  archivedAt: string | null;
};

export const factsOf = (group: TemplateGroup, variant: TemplateVariant): TemplateFacts => ({
  id: variant.id,
  application: group.application,
  applicationId: group.applicationId,
  name: group.name,
  notificationType: group.notificationType,
  notificationSubtype: group.notificationSubtype,
  channel: variant.channel,
  region: variant.region,
  language: variant.language,
  provider: variant.provider,
  archivedAt: variant.archivedAt,
});

/** A line of the library: a name, one of its variants, or what did not fit. */
export type LibraryRow =
  | { kind: "group"; id: string; group: TemplateGroup }
  | { kind: "variant"; id: string; group: TemplateGroup; variant: TemplateVariant }
  | { kind: "rest"; id: string; group: TemplateGroup; count: number };

export const groupId = (group: TemplateGroup) =>
  [group.applicationId, group.name, group.notificationType, group.notificationSubtype].join(" ");

/** The lines to draw: each name, and behind the open ones their variants. */
export function libraryRows(
  groups: readonly TemplateGroup[],
  isOpen: (group: TemplateGroup) => boolean,
): LibraryRow[] {
  return groups.flatMap((group): LibraryRow[] => {
    const id = groupId(group);
    if (!isOpen(group)) return [{ kind: "group", id, group }];
    const left = group.matching - group.variants.length;
    return [
      { kind: "group", id, group },
      ...group.variants.map((variant) => ({ kind: "variant" as const, id: variant.id, group, variant })),
      ...(left > 0 ? [{ kind: "rest" as const, id: `${id} rest`, group, count: left }] : []),
    ];
  });
}
