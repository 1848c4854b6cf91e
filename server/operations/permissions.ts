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
  "events:read",
  "api_keys:manage",
  "members:manage",
  "organization:manage",
  "settings:manage",
  "audit:read",
] as const;

export type Permission = (typeof permissions)[number];

/** What each permission lets somebody do, for whoever puts a role together: a name, and what follows from it. */
export const permissionTexts: Record<Permission, { group: string; name: string; explanation: string }> = {
  "notifications:send": {
    group: "Messages",
    name: "Send messages",
    explanation: "Send with live templates, from the portal or with an API key. Messages cost money.",
  },
  "notifications:read": {
    group: "Messages",
    name: "See messages",
    explanation: "The list of messages, their states and timelines. Addresses and texts are masked.",
  },
  "notifications:cancel": {
    group: "Messages",
    name: "Cancel messages",
    explanation: "Stop messages that have not been sent yet.",
  },
  "content:reveal": {
    group: "Messages",
    name: "See addresses and texts",
    explanation: "Unmasked addresses, rendered texts and replies of recipients: personal data.",
  },
  "templates:read": {
    group: "Templates",
    name: "See templates",
    explanation: "Templates, their versions and what is live where.",
  },
  "templates:write": {
    group: "Templates",
    name: "Write templates",
    explanation: "Create and change templates. A saved version is live in the first stage at once.",
  },
  "promotions:request": {
    group: "Templates",
    name: "Request promotions",
    explanation: "Ask for templates to be taken to the next stage.",
  },
  "promotions:approve": {
    group: "Templates",
    name: "Approve promotions",
    explanation: "Agree to or reject what others request, and roll back. Nobody approves their own.",
  },
  "pipelines:manage": {
    group: "Templates",
    name: "Change pipelines",
    explanation: "Stages of an application and what each asks for. Loosening one takes a second person.",
  },
  "providers:read": {
    group: "Delivery",
    name: "See providers",
    explanation: "Connections, their health and the routing rules. Credentials are never shown.",
  },
  "providers:manage": {
    group: "Delivery",
    name: "Manage providers",
    explanation: "Add, change, test and delete connections, with their credentials and prices.",
  },
  "routing:manage": {
    group: "Delivery",
    name: "Change routing",
    explanation: "Decide which connection carries what. In force within seconds.",
  },
  "consent:read": {
    group: "Recipients",
    name: "See consent",
    explanation: "Who agreed to or opted out of what, and which addresses are suppressed.",
  },
  "consent:write": {
    group: "Recipients",
    name: "Record consent",
    explanation: "Record consent and opt-outs on behalf of recipients, and suppress addresses.",
  },
  "contacts:read": {
    group: "Recipients",
    name: "See contacts",
    explanation: "Contacts.",
  },
  "contacts:write": {
    group: "Recipients",
    name: "Change contacts",
    explanation: "Add and change contacts.",
  },
  "costs:read": {
    group: "Reports",
    name: "See costs",
    explanation: "What messages cost, and the fee.",
  },
  "reports:read": {
    group: "Reports",
    name: "See reports",
    explanation: "Figures over time: volume, delivery, failures.",
  },
  "webhooks:manage": {
    group: "Developers",
    name: "Manage webhooks",
    explanation:
      "Endpoints that are told of each message, their secrets and deliveries. What is posted to them is not masked.",
  },
  "events:read": {
    group: "Developers",
    name: "Read events",
    explanation: "The feed of everything that webhooks report. Addresses and texts are masked.",
  },
  "api_keys:manage": {
    group: "Developers",
    name: "Manage API keys",
    explanation: "Create, rotate and revoke keys, none of which can do more than whoever creates it.",
  },
  "members:manage": {
    group: "Organisation",
    name: "Manage members",
    explanation: "Invite, suspend and remove people and give them roles, none with more than one has.",
  },
  "organization:manage": {
    group: "Organisation",
    name: "Set up the organisation",
    explanation: "Teams, applications, environments and notification types.",
  },
  "settings:manage": {
    group: "Organisation",
    name: "Change settings",
    explanation: "AI and moderation, data and regions, consent policy, quiet hours, short links.",
  },
  "audit:read": {
    group: "Organisation",
    name: "Read the audit trail",
    explanation: "Who changed what, and when.",
  },
};

/**
 * What no key of an agent may do, whatever its role: approve, change who may do what or where messages go, or its own limits.
 * An agent does what texts tell it that other people wrote.
 */
const neverAgents: ReadonlySet<string> = new Set<Permission>([
  "promotions:approve",
  "pipelines:manage",
  "providers:manage",
  "routing:manage",
  "webhooks:manage",
  "api_keys:manage",
  "members:manage",
  "organization:manage",
  "settings:manage",
]);

/** What is left of a role for a key of an agent. */
export function agentPermissions(role: readonly string[]): string[] {
  return role.filter((permission) => !neverAgents.has(permission));
}

const readAll = [
  "notifications:read",
  "templates:read",
  "providers:read",
  "consent:read",
  "contacts:read",
  "reports:read",
] as const satisfies readonly Permission[];

/** The roles that every tenant starts with: key → name, what it is for, and permissions. */
export const builtInRoles = {
  owner: { name: "Owner", description: "Everything, including message content", permissions },
  administrator: {
    name: "Administrator",
    description: "Everything but reading message content",
    permissions: permissions.filter((permission) => permission !== "content:reveal"),
  },
  developer: {
    name: "Developer",
    description: "Sends, writes templates, and manages API keys and webhooks",
    permissions: [
      ...readAll,
      "notifications:send",
      "notifications:cancel",
      "content:reveal",
      "templates:write",
      "promotions:request",
      "webhooks:manage",
      "events:read",
      "api_keys:manage",
    ],
  },
  template_author: {
    name: "Template author",
    description: "Writes templates and requests their promotion",
    permissions: ["templates:read", "templates:write", "promotions:request", "notifications:read"],
  },
  release_manager: {
    name: "Release manager",
    description: "Approves promotions and manages the pipeline",
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
    description: "Runs daily sending: routing, consent, contacts and webhooks",
    permissions: [
      ...readAll,
      "notifications:send",
      "notifications:cancel",
      "content:reveal",
      "consent:write",
      "contacts:write",
      "routing:manage",
      "webhooks:manage",
      "events:read",
    ],
  },
  finance: {
    name: "Finance",
    description: "Reads costs and reports",
    permissions: ["costs:read", "reports:read"],
  },
  auditor: {
    name: "Auditor",
    description: "Reads everything but message content, and changes nothing",
    permissions: [...readAll, "costs:read", "audit:read"],
  },
  sender: {
    name: "Sender",
    description: "Sends messages and records consent; for systems and support",
    permissions: [
      "notifications:send",
      "notifications:read",
      "notifications:cancel",
      "content:reveal",
      "templates:read",
      "consent:read",
      "consent:write",
      "contacts:read",
      "events:read",
    ],
  },
} as const satisfies Record<
  string,
  { name: string; description: string; permissions: readonly Permission[] }
>;

export type BuiltInRole = keyof typeof builtInRoles;
