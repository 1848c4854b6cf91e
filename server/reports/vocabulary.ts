/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Bounds of saved views and of the mails about them. */
export const reportLimits = {
  viewName: 80,
  query: 2_000,
  /** Views of a person, and shared ones of the organisation. */
  views: 100,
  sharedViews: 200,
  schedules: 50,
  recipients: 20,
} as const;

/** Pages whose state can be saved. */
export const viewPages = ["messages", "overview", "costs", "delivery"] as const;

export type ViewPage = (typeof viewPages)[number];

/** Where they are, below an organisation's own address. */
export const viewPaths: Record<ViewPage, string> = {
  messages: "/messages",
  overview: "/overview",
  costs: "/costs",
  delivery: "/delivery",
};

/** Those whose figures can be mailed. */
export const reportPages = ["overview", "delivery", "costs"] as const satisfies readonly ViewPage[];
