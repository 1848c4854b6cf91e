"use client";

import { useQuery } from "@tanstack/react-query";
import type { Promotion } from "../../server/pipelines/schemas.ts";
import { ProductionPill } from "../layout/environment-mark.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { useReadNotices } from "../notices/notices.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { isRefused } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { GateList } from "./gate-list.tsx";
import { ItemList } from "./item-list.tsx";
import { PromotionActions } from "./promotion-actions.tsx";
import { PromotionHistory } from "./promotion-history.tsx";
import { PromotionStateBadge, promotionStateFaces } from "./promotion-state.tsx";

/** One promotion: what it moves, what it waits for, who decided what, and what the reader may do with it. */
export function PromotionPage({ id }: { id: string }) {
  const { environments, href } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.promotions.get.queryOptions(
      { id },
      {
        // Gates pass elsewhere: an approval, a test that arrives, a provider that approves.
        refetchInterval: ({ state }) => {
          if (isRefused(state.error)) return false;
          return state.data?.state === "pending" || state.data?.state === "approved" ? 5_000 : 30_000;
        },
      },
    ),
  );
  const promotion = query.data;
  useReadNotices(id);

  if (query.isError && !promotion) {
    return (
      <PageFrame>
        <PageHeader
          title="Promotion"
          back={{ href: href("/pipeline/promotions"), label: "Promotions" }}
          environmentScoped={false}
        />
        <QueryFailed what="this promotion" query={query} />
      </PageFrame>
    );
  }
  const back = {
    href: href("/pipeline/promotions", { application: promotion?.application }),
    label: "Promotions",
  };
  if (!promotion) {
    return (
      <PageFrame aria-busy>
        <PageHeader
          title={<Skeleton className="h-7 w-72 max-w-full" />}
          documentTitle="Promotion"
          back={back}
          environmentScoped={false}
        />
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Card className="grid content-start gap-3 p-4">
            <Skeleton className="w-40" />
            <Skeleton className="h-24 w-full" />
          </Card>
          <Card className="grid content-start gap-3 p-4">
            <Skeleton className="w-24" />
            <Skeleton className="w-full" />
          </Card>
        </div>
      </PageFrame>
    );
  }

  const nameOf = (stage: Promotion["to"]) =>
    environments.find((each) => each.id === stage.environmentId)?.name ?? stage.environment;
  const to = nameOf(promotion.to);
  const kind = environments.find((each) => each.id === promotion.to.environmentId)?.kind;

  return (
    <PageFrame>
      <PageHeader
        back={back}
        environmentScoped={false}
        documentTitle={`Promotion of ${plural(promotion.templates, "template")} to ${to}`}
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            {plural(promotion.templates, "template")} to {to}
            {kind ? <ProductionPill kind={kind} /> : null}
            <PromotionStateBadge state={promotion.state} />
          </span>
        }
        description={
          <>
            {promotion.application}, from {nameOf(promotion.from)}; requested by {promotion.requestedBy.name}{" "}
            <RelativeTime value={promotion.requestedAt} />. {promotionStateFaces[promotion.state].means}
          </>
        }
      />
      {/* On a phone the columns dissolve: why, what holds it up, what changes, what happened. */}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="contents min-w-0 grid-cols-1 gap-4 lg:grid">
          {promotion.note ? (
            <Card className="order-1">
              <CardHeader title="Note" />
              <p className="px-4 pb-4 text-sm break-words whitespace-pre-wrap">{promotion.note}</p>
            </Card>
          ) : null}
          <Card aria-label="Templates" className="order-3 min-w-0">
            <CardHeader
              title={plural(promotion.templates, "template")}
              description="Open one to see what changes."
            />
            <div className="px-4 pb-4">
              <ItemList items={promotion.items} />
            </div>
          </Card>
        </div>
        <div className="contents min-w-0 grid-cols-1 gap-4 lg:grid">
          {promotion.gates.length > 0 ? (
            <Card aria-label="Gates" className="order-2">
              <CardHeader
                title="Gates"
                description={`As they were when it was requested. ${
                  promotion.automatic
                    ? `Once all have passed, it goes live in ${to} automatically, within two minutes.`
                    : "Once all have passed, someone has to deploy it."
                }`}
              />
              <GateList gates={promotion.gates} items={promotion.items} className="mx-4 mb-4" />
            </Card>
          ) : null}
          <PromotionHistory promotion={promotion} to={to} className="order-4" />
        </div>
      </div>
      <PromotionActions promotion={promotion} to={to} />
    </PageFrame>
  );
}
