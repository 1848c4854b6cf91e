import type { OutcomeCounts, OverviewReport } from "../../server/insights/schemas.ts";

/** Every end that a message comes to. */
const ends = "delivered,failed,rejected,expired,canceled,undetermined";
/** What the messages of a figure have, as the Messages page is asked for it. */
export const figures = {
  accepted: {},
  underWay: { status: "pending_approval,scheduled,queued,sending,sent", final: "false" },
  delivered: { status: "delivered" },
  /** Of which the delivery rate is the share that arrived. */
  final: { status: "delivered,failed,expired,undetermined" },
  notArrived: { status: "failed,expired,undetermined" },
  rejected: { status: "rejected" },
  /** Rejected ones among them. */
  undelivered: { status: "failed,rejected,expired,undetermined" },
  sentWithoutReceipt: { status: "sent", final: "true" },
  failed: { status: "failed" },
  expired: { status: "expired" },
  undetermined: { status: "undetermined" },
  canceled: { status: "canceled" },
  simulated: { status: ends, simulated: "true" },
} as const satisfies Record<string, Record<string, string>>;

/** What the Overview counts. */
export type Figure = keyof typeof figures;

export function figureOf(counts: OutcomeCounts, figure: Figure): number {
  switch (figure) {
    case "notArrived":
      return counts.failed + counts.expired + counts.undetermined;
    case "final":
      return counts.delivered + figureOf(counts, "notArrived");
    case "undelivered":
      return counts.rejected + figureOf(counts, "notArrived");
    default:
      return counts[figure];
  }
}

/** The share of messages that arrived, of those that are final; null: none is. */
export function deliveryRate(counts: OutcomeCounts): number | null {
  const final = figureOf(counts, "final");
  return final === 0 ? null : counts.delivered / final;
}

type Narrowing = { application: string | null; channel: string | null };

/**
 * The parameters of a link to the messages behind a figure, exactly as many as it says.
 * @param period the report's, or a part of it
 */
export function messagesOf(
  report: Pick<OverviewReport, "totals" | "sandbox">,
  { from, to }: { from: string; to: string },
  { application, channel }: Narrowing,
  figure: Figure,
): Record<string, string> {
  // What a simulator took is told apart, also while nothing has come back from it; only an end can be simulated.
  const told = !report.sandbox && figure !== "accepted" && figure !== "underWay" && figure !== "simulated";
  return {
    from,
    to,
    ...(application === null ? {} : { application }),
    ...(channel === null ? {} : { channel }),
    ...figures[figure],
    ...(told && report.totals.simulated > 0 ? { simulated: "false" } : {}),
  };
}

/** The same for a line of the reasons why messages did not arrive. Null: the line is of a status without a figure. */
export function messagesOfReason(
  report: Pick<OverviewReport, "from" | "to" | "totals" | "sandbox">,
  narrowing: Narrowing,
  { status, code }: OverviewReport["failures"][number],
): Record<string, string> | null {
  if (!(status in figures)) return null;
  const of = messagesOf(report, report, narrowing, status as Figure);
  return code === "" ? { ...of, without: "code" } : { ...of, code };
}
