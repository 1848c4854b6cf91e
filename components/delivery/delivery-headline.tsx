"use client";

import type { DeliveryReport } from "../../server/insights/schemas.ts";
import { figures } from "../overview/overview-figures.ts";
import { Headline } from "../overview/overview-headline.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { boundsOf, messagesBehind, within } from "../reports/message-links.ts";
import { formatNumber, plural } from "../ui/format.ts";
import { comparedTotals, outcomesOf } from "./compared.ts";
import type { useDelivery } from "./use-delivery.ts";

const simulatedNote = ({ sent, delivered }: DeliveryReport["simulated"]) =>
  `${formatNumber(delivered)} of the delivered are simulated: the simulator took ${plural(sent, "message")}, and nobody received ${sent === 1 ? "it" : "them"}.`;

/** The figures of a period with what they are a share of, each a link to its messages. */
export function DeliveryHeadline({
  delivery: { view, current, previous, endOfHour },
}: {
  delivery: ReturnType<typeof useDelivery>;
}) {
  const { can, href } = usePortal();
  const report = current.data;
  const before = previous.data;
  const compared = report && before && comparedTotals(report, before, endOfHour);
  return (
    <Headline
      now={report && outcomesOf(report.totals)}
      compared={previous.isError && !before ? null : compared}
      sentMs={report?.latencyMs.sent ?? null}
      sentP50Before={compared ? (before.latencyMs.sent?.p50 ?? null) : null}
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
