"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bell, Pencil, Plus, Trash2, Wallet } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { BudgetView } from "../../server/budgets/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useStartOf } from "../portal/use-drawn-at.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { formatPercent } from "../ui/format.ts";
import { ShareMeter } from "../ui/share-meter.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { CostFindings } from "./cost-findings.tsx";
import { formatSum } from "./cost-headline.tsx";
import { forecastMonth } from "./cost-period.ts";
import { dateFormat } from "../ui/intl.ts";

const BudgetDialog = dynamic(() => import("./budget-dialog.tsx").then((module) => module.BudgetDialog));

/** What this month may cost, how far along it is, and what is unusual about costs. */
export function BudgetsPage() {
  const { can, href } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.budgets.list.queryOptions(undefined, { refetchInterval: 30_000 }));
  const [editing, setEditing] = useState<BudgetView | "new" | null>(null);
  const [removing, setRemoving] = useState<BudgetView | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.budgets.list.queryKey() });
  const remove = useMutation(
    trpc.budgets.remove.mutationOptions({
      onSuccess: async () => {
        toast.success("Budget removed");
        setRemoving(null);
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const add = can("settings:manage") ? (
    <Button variant="primary" onClick={() => setEditing("new")}>
      <Plus aria-hidden /> Add budget
    </Button>
  ) : null;
  const budgets = query.data;
  return (
    <PageFrame>
      <PageHeader
        title="Budgets"
        description="Alerts when the costs of a calendar month (UTC) reach a threshold. Budgets never stop messages."
        back={{ href: href("/costs"), label: "Costs" }}
        actions={budgets && budgets.length > 0 ? add : null}
        environmentScoped={false}
      />
      <Card className="mb-4">
        {budgets ? (
          budgets.length === 0 ? (
            <NothingYet icon={Wallet} title="No budgets yet" action={add}>
              {add
                ? "Set one for an application or for all of them. Everyone with access to its costs is alerted at 50, 80 and 100%, in the portal and by e-mail."
                : "People who can change settings can add one."}
            </NothingYet>
          ) : (
            <ul className="divide-y divide-line" aria-label="Budgets">
              {budgets.map((budget) => (
                <BudgetLine
                  key={budget.id}
                  budget={budget}
                  onEdit={() => setEditing(budget)}
                  onRemove={() => setRemoving(budget)}
                />
              ))}
            </ul>
          )
        ) : query.isError ? (
          <QueryFailed what="the budgets" query={query} />
        ) : (
          <div className="grid gap-4 px-4 py-5" aria-busy>
            <Skeleton className="w-1/3" />
            <Skeleton className="w-full" />
            <Skeleton className="w-1/2" />
          </div>
        )}
      </Card>
      <CostFindings />
      {editing ? (
        <BudgetDialog
          budget={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={refresh}
        />
      ) : null}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove budget “${removing?.name ?? ""}”?`}
        confirmLabel="Remove"
        pending={remove.isPending}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
      >
        Its alerts stop. Costs are not affected.
      </ConfirmDialog>
    </PageFrame>
  );
}

function BudgetLine({
  budget,
  onEdit,
  onRemove,
}: {
  budget: BudgetView;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const { name, currency, spent, reached } = budget;
  const amount = Number(budget.amount);
  const now = new Date(useStartOf(86_400_000));
  const share = spent === null ? 0 : Number(spent) / amount;
  const days = budget.days.map((each) => ({ at: new Date(each.at), amount: Number(each.amount) }));
  const forecast =
    spent === null
      ? null
      : forecastMonth(days, { soFar: Number(spent), today: days.at(-1)?.amount ?? 0, now });
  const highest = reached.at(-1);
  return (
    <li className="grid gap-2 px-4 py-3.5">
      <div className="flex items-start justify-between gap-x-4">
        <div className="min-w-0">
          <h2 className="text-sm font-semibold break-words">{name}</h2>
          <p className="text-xs text-ink-muted">
            {budget.application ?? "All applications"} · {budget.environment ?? "all production environments"}{" "}
            · {budget.converted ? `all costs, in ${currency}` : `costs in ${currency} only`}
          </p>
        </div>
        {budget.mayChange ? (
          <div className="flex shrink-0 gap-1">
            <Button variant="ghost" size="iconSm" aria-label={`Change ${name}`} onClick={onEdit}>
              <Pencil aria-hidden />
            </Button>
            <Button variant="ghost" size="iconSm" aria-label={`Remove ${name}`} onClick={onRemove}>
              <Trash2 aria-hidden />
            </Button>
          </div>
        ) : null}
      </div>
      {spent === null ? (
        <p role="status" className="text-sm text-warning-text">
          Inactive: your organisation has changed its currency. Edit the budget to activate it again.
        </p>
      ) : (
        <>
          <ShareMeter share={share} label={`${name}, spent this month`} />
          <p className="tabular flex flex-wrap justify-between gap-x-6 gap-y-0.5 text-sm">
            <span>
              {formatSum(spent, currency)} of {formatSum(budget.amount, currency)} this month (
              {formatPercent(share)})
            </span>
            <span
              className="text-ink-muted"
              title="Based on the average of each weekday in the last two weeks"
            >
              {forecast === null
                ? "No forecast yet. It needs three full days of costs"
                : `Forecast for the month: ${formatSum(forecast, currency)} (${formatPercent(forecast / amount, 0)})`}
            </span>
          </p>
        </>
      )}
      <p className="flex items-start gap-x-1.5 text-xs text-ink-muted">
        <Bell className="mt-px size-3.5 shrink-0" aria-hidden />
        <span>
          Alerts at {budget.thresholds.map((percent) => formatPercent(percent / 100, 0)).join(", ")}
          {highest ? ` · ${formatPercent(highest.percent / 100, 0)} reached on ${formatDay(highest.at)}` : ""}
        </span>
      </p>
      {budget.withoutRate.length > 0 ? (
        <p role="status" className="text-xs text-warning-text">
          Costs in {budget.withoutRate.join(", ")} are not included: there is no rate for them under Settings
          → Currency.
        </p>
      ) : null}
    </li>
  );
}

const formatDay = (at: string) => dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));
