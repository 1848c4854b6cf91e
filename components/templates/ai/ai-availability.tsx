"use client";

import { useQuery } from "@tanstack/react-query";
import { Settings, WandSparkles } from "lucide-react";
import type { AiStatus } from "../../../server/ai/schemas.ts";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { Button } from "../../ui/button.tsx";
import { formatMoney, formatNumber } from "../../ui/format.ts";
import { Link } from "../../ui/link.tsx";

/** Why nothing can be drafted, and the way to change it for those who may. */
export function DraftingUnavailable({ status }: { status: AiStatus }) {
  const { can, href } = usePortal();
  return (
    <div className="grid justify-items-start gap-3 rounded-md border border-dashed border-line-strong px-4 py-4 text-sm text-ink-muted">
      <p className="flex items-start gap-2">
        <WandSparkles className="mt-0.5 size-4 shrink-0 text-ink-faint" aria-hidden />
        <span>{status.reason ?? "Drafting with AI is not available here."}</span>
      </p>
      {can("settings:manage") ? (
        <Button asChild size="sm">
          <Link href={href("/settings/ai")}>
            <Settings aria-hidden /> AI settings
          </Link>
        </Button>
      ) : null}
    </div>
  );
}

/** Which service writes, where, and what the month has used so far. */
export function DraftingFacts({ status }: { status: AiStatus }) {
  const { canIn } = usePortal();
  const trpc = useTRPC();
  const seesUse = canIn("settings:manage", null);
  const usage = useQuery(trpc.ai.usage.queryOptions({}, { enabled: seesUse, staleTime: 30_000 })).data;
  const where = [status.model, status.region ? `processed in ${status.region}` : null].filter(
    (part) => part !== null,
  );
  return (
    <p className="text-xs text-ink-muted">
      {where.join(", ")}.{" "}
      {usage ? (
        <span className="tabular">
          This month: {formatNumber(usage.tokens)} tokens
          {usage.costs.map((cost) => `, ${formatMoney(cost.amount, cost.currency)}`).join("")}.
        </span>
      ) : null}
    </p>
  );
}
