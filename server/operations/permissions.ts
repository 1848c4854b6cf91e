/** Every permission there is. Safe in the browser. */
export const permissions = [
  "notifications:send",
  "notifications:read",
  "notifications:cancel",
  "content:reveal",
  "templates:read",
  "templates:write",
  "promotions:request",
  "promotions:approve",
  "pipelines:manage",
  "providers:read",
  "providers:manage",
  "routing:manage",
  "consent:read",
  "consent:write",
  "contacts:read",
  "contacts:write",
  "costs:read",
  "reports:read",
  "webhooks:manage",
  "api_keys:manage",
  "members:manage",
  "organization:manage",
  "settings:manage",
  "audit:read",
] as const;

export type Permission = (typeof permissions)[number];

const readAll = [
  "notifications:read",
  "templates:read",
  "providers:read",
  "consent:read",
  "contacts:read",
  "reports:read",
] as const satisfies readonly Permission[];

/** The roles that every tenant starts with: key → name and permissions. */
export const builtInRoles = {
  owner: { name: "Owner", permissions },
  administrator: {
    name: "Administrator",
    permissions: permissions.filter((permission) => permission !== "content:reveal"),
  },
  developer: {
    name: "Developer",
    permissions: [
      ...readAll,
      "notifications:send",
      "notifications:cancel",
      "content:reveal",
      "templates:write",
      "promotions:request",
      "webhooks:manage",
      "api_keys:manage",
    ],
  },
  template_author: {
    name: "Template author",
    permissions: ["templates:read", "templates:write", "promotions:request", "notifications:read"],
  },
  release_manager: {
    name: "Release manager",
    permissions: [
      "templates:read",
      "promotions:request",
      "promotions:approve",
      "pipelines:manage",
      "notifications:read",
      "reports:read",
    ],
  },
  operator: {
    name: "Operator",
    permissions: [
      ...readAll,
      "notifications:send",
      "notifications:cancel",
      "content:reveal",
      "consent:write",
      "contacts:write",
      "routing:manage",
      "webhooks:manage",
    ],
  },
  finance: { name: "Finance", permissions: ["costs:read", "reports:read"] },
  auditor: { name: "Auditor", permissions: [...readAll, "costs:read", "audit:read"] },
  sender: {
    name: "Sender",
    permissions: [
      "notifications:send",
      "notifications:read",
      "notifications:cancel",
      "content:reveal",
      "templates:read",
      "consent:read",
      "consent:write",
      "contacts:read",
    ],
  },
} as const satisfies Record<string, { name: string; permissions: readonly Permission[] }>;

export type BuiltInRole = keyof typeof builtInRoles;
