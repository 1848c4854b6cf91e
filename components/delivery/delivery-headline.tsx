"use client";

import type { DeliveryCounts, DeliveryReport, OutcomeCounts } from "../../server/insights/schemas.ts";
import { underWay } from "../overview/overview-data.ts";
import { figures } from "../overview/overview-figures.ts";
import { Headline } from "../overview/overview-headline.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { boundsOf, messagesBehind, within } from "../reports/message-links.ts";
import { formatNumber, plural } from "../ui/format.ts";
import type { useDelivery } from "./use-delivery.ts";

/** The report of a connection has the simulator's messages as any other's, so that here they are not told apart. */
const outcomesOf = (counts: DeliveryCounts | undefined): OutcomeCounts | undefined =>
  counts && { ...counts, underWay: underWay(counts), simulated: 0 };

const simulatedNote = ({ sent, delivered }: DeliveryReport["simulated"]) =>
  `${formatNumber(delivered)} of the delivered are simulated: the simulator took ${plural(sent, "message")}, and nobody received ${sent === 1 ? "it" : "them"}.`;

/** The figures of a period with what they are a share of, each a link to its messages. */
export function DeliveryHeadline({
  delivery: { view, current, previous },
}: {
  delivery: ReturnType<typeof useDelivery>;
}) {
  const { can, href } = usePortal();
  const report = current.data;
  return (
    <Headline
      now={outcomesOf(report?.totals)}
      then={previous.isError && !previous.data ? null : outcomesOf(previous.data?.totals)}
      sentMs={report?.latencyMs.sent ?? null}
      sentP50Before={previous.data?.latencyMs.sent?.p50 ?? null}
      notes={report && report.simulated.sent > 0 ? [simulatedNote(report.simulated)] : []}
      hrefOf={(figure) =>
        report && can("notifications:read")
          ? href("/messages", {
              ...messagesBehind(view, within(boundsOf(report)), "accepted"),
              ...figures[figure],
            })
          : null
      }
    />
  );
}
