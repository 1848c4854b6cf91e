/** The pages under docs/ in an order of use: by the name of their file, without `.md`. */
interface GuideGroup {
  title: string;
  pages: readonly string[];
}

/** Every Markdown file under docs/ is in exactly one group; a page that is not listed here is not served. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: "Get started",
    pages: [
      "send",
      "examples",
      "sandbox",
      "templates",
      "webhooks",
      "events",
      "consent",
      "going-live",
      "coming-from-novu",
      "coming-from-twilio",
    ],
  },
  { title: "Templates", pages: ["pipelines", "moderation", "short-links"] },
  {
    title: "Recipients",
    pages: ["contacts", "broadcasts", "imports", "suppressions", "quiet-hours", "inbound"],
  },
  { title: "Providers and routing", pages: ["connections", "routing", "failover", "own-channels"] },
  {
    title: "Set up a provider",
    pages: [
      "providers/twilio",
      "providers/vonage",
      "providers/infobip",
      "providers/meta",
      "providers/smpp",
      "providers/smtp",
      "providers/sendgrid",
      "providers/ses",
      "providers/resend",
      "providers/microsoft365",
      "providers/http",
    ],
  },
  {
    title: "Reports and costs",
    pages: [
      "finding-messages",
      "reports",
      "saved-views",
      "deliverability",
      "objectives",
      "costs",
      "budgets",
      "exports",
    ],
  },
  {
    title: "Access and privacy",
    pages: ["access", "single-sign-on", "directories", "privacy", "audit"],
  },
  { title: "API", pages: ["sdk", "cli", "api", "keys", "mcp"] },
  {
    title: "Run Tidings",
    pages: [
      "operations/deployment",
      "operations/upgrades",
      "operations/backup",
      "scaling",
      "first-sign-in",
      "console",
      "metrics",
      "operations/tracing",
      "key-rotation",
      "security",
    ],
  },
  {
    title: "Runbooks",
    pages: [
      "operations/runbooks/index",
      "operations/runbooks/process-down",
      "operations/runbooks/event-loop-blocked",
      "operations/runbooks/figures-missing",
      "operations/runbooks/queue-delayed",
      "operations/runbooks/jobs-given-up",
      "operations/runbooks/messages-failing",
      "operations/runbooks/inbound-dropped",
      "operations/runbooks/provider-failing",
      "operations/runbooks/callbacks-forged",
      "operations/runbooks/webhooks-delayed",
      "operations/runbooks/api-failing",
      "operations/runbooks/database-slow",
      "operations/runbooks/audit-trail-broken",
      "operations/runbooks/settings-unreadable",
      "operations/runbooks/traces-lost",
    ],
  },
  {
    title: "Contribute",
    pages: [
      "contributing",
      "style",
      "decisions/2026-11-20-counts-as-deltas",
      "decisions/2026-11-20-local-queues",
      "decisions/2026-11-20-service-class-after-unknown",
      "decisions/2026-11-20-set-based-functions",
      "decisions/2026-11-22-codes-before-throughput",
      "decisions/2026-11-22-front-door",
      "decisions/2026-11-22-turns",
    ],
  },
];

/** All pages, in order: what comes before and after one in reading. */
export const guideOrder: readonly string[] = guideGroups.flatMap(({ pages }) => pages);
