/** The pages under docs/ in an order of use: by the name of their file, without `.md`. */
interface GuideGroup {
  title: string;
  pages: readonly string[];
}

/** Every Markdown file under docs/ is in exactly one group; a page that is not listed here is not served. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: "Get started",
    pages: ["send", "examples", "sandbox", "templates", "webhooks", "events", "consent", "going-live"],
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
  { title: "API", pages: ["sdk", "cli", "api", "keys"] },
  { title: "Run Tidings", pages: ["first-sign-in", "console", "metrics", "key-rotation", "security"] },
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
