import type { Permission } from "../../server/access/schemas.ts";
import type { PortalData } from "../portal/portal-context.tsx";
import { settingsSections } from "../settings/settings-sections.ts";

/** What one needs to see a page. */
export interface PageAccess {
  /** Below `/[tenant]`, with `[id]` for any part; also of the pages below it that have no entry of their own. */
  path: string;
  /** One of these is needed. */
  any: readonly Permission[];
  /** In the whole organisation; otherwise somewhere. */
  everywhere?: boolean;
  /** In the sentence "You don't have access to …". */
  what: string;
}

const pages: readonly PageAccess[] = [
  { path: "/overview", any: ["notifications:read"], what: "the overview" },
  { path: "/send", any: ["notifications:send"], what: "sending messages" },
  { path: "/broadcasts", any: ["notifications:read"], what: "broadcasts" },
  { path: "/broadcasts/new", any: ["notifications:send"], what: "creating broadcasts" },
  { path: "/messages", any: ["notifications:read"], what: "messages" },
  { path: "/approvals", any: ["notifications:send"], what: "approvals" },
  { path: "/conversations", any: ["notifications:read"], what: "conversations" },
  { path: "/consent", any: ["consent:read"], what: "consent" },
  { path: "/suppressions", any: ["consent:read"], what: "suppressions" },
  { path: "/imports", any: ["consent:write", "contacts:write"], what: "imports" },
  { path: "/exports", any: ["notifications:read", "costs:read"], what: "exports" },
  { path: "/scheduled-reports", any: ["reports:read", "costs:read"], what: "scheduled reports" },
  { path: "/contacts", any: ["contacts:read"], what: "contacts" },
  { path: "/templates", any: ["templates:read"], what: "templates" },
  { path: "/templates/new", any: ["templates:write"], what: "creating templates" },
  { path: "/templates/[id]/edit", any: ["templates:write"], what: "editing templates" },
  { path: "/pipeline", any: ["templates:read"], what: "pipelines" },
  { path: "/providers", any: ["providers:read"], what: "providers" },
  { path: "/providers/new", any: ["providers:manage"], what: "adding connections" },
  { path: "/providers/[id]/edit", any: ["providers:manage"], what: "editing connections" },
  { path: "/health", any: ["providers:read"], what: "the health of connections" },
  { path: "/deliverability", any: ["reports:read"], everywhere: true, what: "deliverability" },
  { path: "/objectives", any: ["reports:read"], everywhere: true, what: "objectives" },
  { path: "/routing", any: ["providers:read"], what: "routing" },
  { path: "/routing/rules/new", any: ["routing:manage"], what: "creating routing rules" },
  { path: "/delivery", any: ["reports:read"], what: "delivery reports" },
  { path: "/costs", any: ["costs:read"], what: "costs" },
  { path: "/webhooks", any: ["webhooks:manage"], what: "webhooks" },
  { path: "/api-keys", any: ["api_keys:manage"], what: "API keys" },
  { path: "/sandbox", any: ["notifications:read"], what: "the sandbox inbox" },
  { path: "/mailbox", any: ["content:reveal"], everywhere: true, what: "the mailbox" },
  { path: "/members", any: ["members:manage"], what: "members" },
  { path: "/roles", any: ["members:manage"], what: "roles" },
  { path: "/audit", any: ["audit:read"], what: "the audit trail" },
  ...settingsSections.map(({ path, label, permission, everywhere }) => ({
    path: `/settings${path}`,
    any: [permission],
    everywhere,
    what: `the settings “${label}”`,
  })),
];

/** Pages for everybody who is signed in; of these, the first page of Settings says by itself that it is empty. */
const open = ["", "/account", "/settings"];

const matches = (pattern: readonly string[], path: readonly string[], exact: boolean) =>
  (exact ? pattern.length === path.length : pattern.length <= path.length) &&
  pattern.every((part, index) => part === path[index] || (part.startsWith("[") && path[index] !== undefined));

/**
 * What a page asks for; null: nothing; undefined: there is no such page.
 * @param path below `/[tenant]`, as "/providers/new"
 */
export function accessOf(path: string): PageAccess | null | undefined {
  if (open.includes(path)) return null;
  const parts = path.split("/");
  return (
    pages.find((each) => matches(each.path.split("/"), parts, true)) ??
    pages.find((each) => matches(each.path.split("/"), parts, false))
  );
}

/** Whether the reader may see what an entry is about. */
export function mayOpen(
  { any, everywhere = false }: PageAccess,
  data: Pick<PortalData, "permissions" | "permissionsByUnit">,
): boolean {
  const wide = data.permissionsByUnit.find(({ unitId }) => unitId === null)?.permissions ?? [];
  return any.some((permission) => (everywhere ? wide : data.permissions).includes(permission));
}
