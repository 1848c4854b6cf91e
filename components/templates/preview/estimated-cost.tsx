import { formatMoney } from "../../ui/format.ts";
import type { Preview } from "./use-draft-preview.ts";

/** What one message would cost through the connection that would carry it first. */
export function EstimatedCost({ cost }: { cost: Preview["estimatedCost"] }) {
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
      <span className="text-ink-muted">Estimated cost of one message</span>
      {cost ? (
        <span>
          <strong className="font-semibold tabular">{formatMoney(cost.amount, cost.currency)}</strong>{" "}
          <span className="text-xs text-ink-muted">through {cost.connection}</span>
        </span>
      ) : (
        <span className="text-ink-muted">No price known</span>
      )}
    </p>
  );
}
