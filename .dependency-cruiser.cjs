/**
 * Who may import whom: the table of ARCHITECTURE.md as errors.
 *
 * `$1` is what the first group of `from.path` matched, so "another domain" can be said in one rule.
 */

/** The domains, lowest first: a domain may use those below its own layer and none beside it. */
const LAYERS = [
  ["operations"],
  ["adapters", "notices", "template-language", "tenancy"],
  ["audit"],
  ["access", "content-checks"],
  ["ai", "connections", "directory", "quotas", "rendering", "webhooks", "workspace"],
  [
    "consent",
    "contacts",
    "costs",
    "insights",
    "links",
    "moderation",
    "platform",
    "recipient-limits",
    "residency",
    "routing",
    "sso",
  ],
  ["deliverability", "health", "imports", "inbound", "key-rotation", "templates"],
  ["drafting", "sending", "template-files"],
  ["conversations", "exports", "invitations", "onboarding", "pipelines", "sandbox"],
  ["budgets", "objectives", "privacy", "reports"],
  ["console"],
];
/** Rooms of server/ that are no domains. */
const NO_DOMAIN = "front-door|kernel|rest|testing|trpc";
const TESTS = "\\.test\\.tsx?$|^server/testing/";

/** One rule a domain, types included: the folders cannot need each other, and the list above is the whole picture. */
const layerRules = LAYERS.flatMap((layer, height) =>
  layer.map((domain) => ({
    name: `layer-of-${domain}`,
    comment: "A domain uses the layers below its own (LAYERS in this file).",
    severity: "error",
    from: { path: `^server/${domain}/`, pathNot: TESTS },
    to: {
      path: `^server/(${LAYERS.slice(height)
        .flat()
        .filter((other) => other !== domain)
        .join("|")})/`,
    },
  })),
);

const valueImports = { dependencyTypesNot: ["type-only"] };

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: "no-cycles",
      comment: "Two files that need each other are one file, or three.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: valueImports },
    },
    {
      name: "unresolvable",
      comment: "An import that leads nowhere.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(bun|cloudflare):" },
    },
    {
      name: "queries-are-private",
      comment: "A domain's SQL belongs to it; ask its use cases.",
      severity: "error",
      // Tests look past the use cases to see what has become of a row.
      from: { path: "^server/([^/]+)/", pathNot: TESTS },
      to: { path: "^server/[^/]+/[^/]*queries\\.ts$", pathNot: "^server/$1/" },
    },
    {
      name: "queries-are-private-outside",
      comment: "A domain's SQL belongs to it; ask its use cases.",
      severity: "error",
      from: { pathNot: `^(server|bench|prisma)/|^worker/presence\\.ts$|${TESTS}` },
      to: { path: "^server/[^/]+/[^/]*queries\\.ts$" },
    },
    {
      name: "app-imports-doors",
      comment: "Pages and route handlers draw and translate; rules live behind trpc and rest.",
      severity: "error",
      from: { path: "^app/" },
      to: {
        path: "^(server|worker|prisma|scripts|bench|e2e)/",
        pathNot: "^server/(trpc|rest)/|^server/kernel/readiness\\.ts$",
        ...valueImports,
      },
    },
    {
      name: "components-are-browser-code",
      comment: "The browser gets schemas, and of the server's router only its type.",
      severity: "error",
      from: { path: "^components/", pathNot: TESTS },
      to: {
        path: "^(server|worker|prisma|scripts|bench|e2e|app)/",
        pathNot:
          "^server/[^/]+/(schemas|vocabulary)\\.ts$|^server/kernel/(channel|message-failures|page-request)\\.ts$|^server/(consent/consent-policy|template-language/(mjml-root|opt-out-button))\\.ts$",
        ...valueImports,
      },
    },
    {
      name: "components-know-types-of-the-router-only",
      comment: "Types, too, come from the schemas or from trpc/root.",
      severity: "error",
      from: { path: "^components/", pathNot: TESTS },
      to: {
        path: "^server/",
        pathNot:
          "^server/[^/]+/(schemas|vocabulary)\\.ts$|^server/kernel/(channel|page-request)\\.ts$|^server/trpc/(console-)?root\\.ts$",
        dependencyTypes: ["type-only"],
      },
    },
    {
      name: "vocabularies-load-nothing",
      comment: "A page that reads a limit or a list of words must not load zod, or anything else, for it.",
      severity: "error",
      from: { path: "^server/[^/]+/vocabulary\\.ts$" },
      to: {
        path: ".",
        pathNot:
          "^server/[^/]+/vocabulary\\.ts$|^server/(operations/permissions|template-language/liquid-words)\\.ts$",
        ...valueImports,
      },
    },
    {
      name: "schemas-are-browser-safe",
      comment: "What a form imports may pull in no database and no Node.",
      severity: "error",
      from: { path: "^server/([^/]+/(schemas|vocabulary)|consent/consent-policy)\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "schemas-import-schemas",
      comment: "What a form imports may pull in no database and no Node.",
      severity: "error",
      from: { path: "^server/([^/]+)/schemas\\.ts$" },
      to: {
        path: "^server/(?!$1/)",
        pathNot: "^server/[^/]+/(schemas|vocabulary)\\.ts$|^server/(kernel|operations|template-language)/",
        ...valueImports,
      },
    },
    {
      name: "kernel-imports-packages-only",
      comment: "Mechanism knows no domain.",
      severity: "error",
      from: { path: "^server/kernel/", pathNot: TESTS },
      to: { path: "^(app|bench|components|e2e|prisma|scripts|server|worker)/", pathNot: "^server/kernel/" },
    },
    {
      name: "domains-know-no-transport",
      comment: "Operations and use cases serve REST, tRPC and the worker alike: the doors import them.",
      severity: "error",
      from: {
        path: "^server/",
        pathNot: `^server/(${NO_DOMAIN})/|${TESTS}`,
      },
      to: {
        path: "^(app|components|worker|scripts|bench|e2e)/|^server/(trpc|rest)/|node_modules/(next|@trpc|react|react-dom)/",
      },
    },
    {
      name: "adapters-import-kernel-only",
      comment: "An adapter translates one provider's contract and nothing else.",
      severity: "error",
      from: { path: "^server/adapters/", pathNot: TESTS },
      to: {
        path: "^(app|bench|components|e2e|prisma|scripts|server|worker)/|node_modules/(@prisma|prisma|pg)/",
        pathNot: "^server/adapters/|^server/kernel/(?!prisma/|db\\.ts$)",
        ...valueImports,
      },
    },
    {
      name: "generated-client-is-for-the-kernel",
      comment: "Types of the database leave through kernel/db.ts; queries.ts alone works with them.",
      severity: "error",
      from: { pathNot: "^server/kernel/|^server/[^/]+/[^/]*queries\\.ts$|^server/testing/|^prisma/" },
      to: { path: "^server/kernel/prisma/generated/" },
    },
    {
      name: "tasks-call-use-cases",
      comment: "A task parses its payload, builds a system ctx and calls one use case.",
      severity: "error",
      from: { path: "^worker/tasks/", pathNot: TESTS },
      to: { path: "^(app|components|scripts|bench|e2e)/|^server/(trpc|rest|testing)/" },
    },
    {
      name: "clients-stand-alone",
      comment: "A published client has nothing of the service in it; its tests run against one.",
      severity: "error",
      from: { path: "^packages/", pathNot: "^packages/[^/]+/test/" },
      to: { path: "^(app|bench|components|e2e|prisma|scripts|server|worker)/" },
    },
    {
      name: "library-knows-no-node",
      comment: "It runs on the edge, where there is no Node. The command line may need it.",
      severity: "error",
      from: { path: "^packages/sdk-ts/src/", pathNot: "^packages/sdk-ts/src/cli/" },
      to: { dependencyTypes: ["core", "npm", "npm-dev"] },
    },
    {
      name: "service-needs-no-client",
      comment: "The clients are made for the service, not the other way around.",
      severity: "error",
      from: { path: "^(app|components|prisma|server|worker)/", pathNot: TESTS },
      to: { path: "^packages/" },
    },
    {
      name: "examples-use-the-client",
      comment:
        "An example is copied into a project of its own: it has the client and Node, and nothing else of ours.",
      severity: "error",
      from: { path: "^examples/" },
      to: { path: ".", pathNot: "^packages/sdk-ts/src/index\\.ts$", dependencyTypesNot: ["core"] },
    },
    {
      name: "nothing-needs-examples",
      comment: "They are there to be read and copied.",
      severity: "error",
      from: { pathNot: "^examples/" },
      to: { path: "^examples/" },
    },
    {
      name: "start-needs-nothing-generated",
      comment:
        "In a fresh checkout npm start and npm test run before there is a database client: they make it.",
      severity: "error",
      from: { path: "^scripts/(?:supervisor|checks|generate|build)\\.ts$" },
      to: { path: "^server/kernel/prisma/generated/", reachable: true },
    },
    {
      name: "testing-is-for-tests",
      comment: "Helpers of tests do not reach the product.",
      severity: "error",
      from: { path: "^(app|components|server|worker|scripts)/", pathNot: TESTS },
      to: { path: "^server/testing/" },
    },
    {
      name: "product-does-not-need-its-tools",
      comment: "Only packages of `dependencies` are there in production.",
      severity: "error",
      from: { path: "^(app|components|server|worker)/", pathNot: TESTS },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules|^server/kernel/prisma/generated/" },
    exclude: { path: "^\\.next|^\\.data|^public/|^packages/[^/]+/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json", ".d.ts"],
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
