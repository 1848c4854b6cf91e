"use client";

import { useQuery } from "@tanstack/react-query";
import { Pencil, ScrollText } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import type { Webhook, WebhookDelivery } from "../../server/webhooks/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { usePanelHref } from "../data-table/use-panel-href.ts";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { useReadNotices } from "../notices/notices.tsx";
import { useEnvironmentOf, usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { AllDone, NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { formatDuration, plural } from "../ui/format.ts";
import { Segmented } from "../ui/segmented.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { SuccessShare, useSuccessRates } from "./success-rate.tsx";
import { TurnedOff } from "./turned-off.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { DeliveryState, WebhookStatus } from "./webhook-status.tsx";

const WebhookForm = dynamic(() => import("./webhook-form.tsx").then((module) => module.WebhookForm));

const states = ["all", "pending", "delivered", "failed", "discarded"] as const;

const columns: DataColumn<WebhookDelivery>[] = [
  {
    id: "state",
    label: "State",
    fixed: true,
    skeleton: "w-20",
    className: "w-32",
    cell: (row) => <DeliveryState state={row.state} />,
  },
  {
    id: "event",
    label: "Event",
    fixed: true,
    skeleton: "w-40",
    cell: (row) => <span className="font-mono text-xs">{row.event}</span>,
  },
  {
    id: "answer",
    label: "Last response",
    skeleton: "w-20",
    className: "max-w-64",
    cell: (row) => (
      <span className="block truncate text-ink-muted" title={row.lastError ?? undefined}>
        {row.lastStatus === null ? (row.lastError ?? "–") : `HTTP ${row.lastStatus}`}
      </span>
    ),
  },
  {
    id: "attempts",
    label: "Attempts",
    align: "right",
    skeleton: "w-6",
    className: "w-24",
    cell: (row) => row.attempts,
  },
  {
    id: "nextAttemptAt",
    label: "Next attempt",
    align: "right",
    skeleton: "w-16",
    className: "w-32",
    cell: (row) =>
      row.nextAttemptAt ? <RelativeTime value={row.nextAttemptAt} ahead className="text-ink-muted" /> : null,
  },
  {
    id: "at",
    label: "Event time",
    align: "right",
    skeleton: "w-16",
    className: "w-32",
    cell: (row) => <RelativeTime value={row.at} className="text-ink-muted" />,
  },
];

export function WebhookPage({ id }: { id: string }) {
  useReadNotices(id);
  const { href } = usePortal();
  const trpc = useTRPC();
  const [editing, setEditing] = useState(false);
  const query = useQuery(trpc.webhooks.get.queryOptions({ id }));
  const webhook = query.data;
  useEnvironmentOf(webhook?.environment, "/webhooks");

  if (query.isError && !webhook) {
    return (
      <PageFrame>
        <QueryFailed what="this endpoint" query={query} />
      </PageFrame>
    );
  }

  return (
    <PageFrame>
      <PageHeader
        back={{ href: href("/webhooks"), label: "Webhooks" }}
        documentTitle={webhook ? `Webhook ${URL.parse(webhook.url)?.host ?? ""}` : "Webhook"}
        title={
          webhook ? (
            <span className="font-mono text-lg break-all">{webhook.url}</span>
          ) : (
            <Skeleton className="h-6 w-96 max-w-full" />
          )
        }
        description={webhook?.description}
        actions={
          webhook ? (
            <>
              <Button onClick={() => setEditing(true)}>
                <Pencil aria-hidden /> Edit
              </Button>
              <WebhookActions webhook={webhook} />
            </>
          ) : null
        }
      />
      {webhook ? <TurnedOff webhook={webhook} /> : null}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Deliveries endpointId={id} />
        <WebhookFacts webhook={webhook} />
      </div>
      {editing && webhook ? <WebhookForm webhook={webhook} onClose={() => setEditing(false)} /> : null}
    </PageFrame>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook | undefined }) {
  const success = useSuccessRates(webhook ? [webhook.id] : [])?.get(webhook?.id ?? "");
  return (
    <Card className="order-first lg:order-last">
      <CardHeader title="Endpoint" actions={webhook ? <WebhookStatus webhook={webhook} /> : null} />
      <div className="px-4 pb-4">
        {webhook ? (
          <Facts
            className="grid-cols-[5.5rem_minmax(0,1fr)]"
            items={[
              { label: "Application", value: webhook.application },
              { label: "Environment", value: webhook.environment },
              {
                label: "Events",
                value:
                  webhook.events.length === 0 ? (
                    "All"
                  ) : (
                    <ul className="font-mono text-xs leading-5 break-all">
                      {webhook.events.map((event) => (
                        <li key={event}>{event}</li>
                      ))}
                    </ul>
                  ),
              },
              {
                label: "Retries",
                value: `${plural(webhook.retrySchedule.length, "attempt")} over ${formatDuration(webhook.retrySchedule.reduce((sum, delay) => sum + delay, 0) * 1000)}`,
              },
              success
                ? { label: "Last 24 h", value: <SuccessShare rate={success.last24Hours} detailed /> }
                : null,
              success
                ? { label: "Last 7 days", value: <SuccessShare rate={success.last7Days} detailed /> }
                : null,
              webhook.failingSince && webhook.enabled
                ? { label: "Failing since", value: <AbsoluteTime value={webhook.failingSince} /> }
                : null,
              webhook.disabledAt
                ? {
                    label: "Off since",
                    value: (
                      <>
                        <AbsoluteTime value={webhook.disabledAt} />
                        <span className="block text-xs text-ink-muted">
                          Events of the last 30 days are kept. Turn it on to replay them.
                        </span>
                      </>
                    ),
                  }
                : null,
              webhook.previousSecretExpiresAt
                ? {
                    label: "Old secret",
                    value: (
                      <>
                        valid until <AbsoluteTime value={webhook.previousSecretExpiresAt} />
                      </>
                    ),
                  }
                : null,
              { label: "Added", value: <AbsoluteTime value={webhook.createdAt} /> },
            ]}
          />
        ) : (
          <div className="grid gap-3">
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
            <Skeleton className="w-2/3" />
          </div>
        )}
      </div>
    </Card>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const panelHref = usePanelHref();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(
    { state: parseAsStringLiteral(states).withDefault("all"), cursor: parseAsString, open: parseAsString },
    { history: "push" },
  );
  const query = useQuery(
    trpc.webhooks.deliveries.queryOptions(
      {
        id: endpointId,
        state: view.state === "all" ? undefined : view.state,
        cursor: view.cursor ?? undefined,
      },
      { refetchInterval: view.cursor ? false : 4000 },
    ),
  );

  return (
    <section aria-label="Deliveries" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">Deliveries</h2>
        <div className="max-w-full overflow-x-auto">
          <Segmented
            label="State"
            value={view.state}
            onValueChange={(state) => void setView({ state, cursor: null, open: null })}
            options={states.map((state) => ({
              value: state,
              label: state === "all" ? "All" : <DeliveryLabel state={state} />,
            }))}
          />
        </div>
      </div>
      {query.isError && !query.data ? (
        <QueryFailed what="deliveries" query={query} />
      ) : (
        <DataTable
          id="deliveries"
          label="Deliveries"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => `Open delivery of ${row.event}`}
          hrefOf={(row) => panelHref(row.id)}
          onOpen={(row) => void setView({ open: row.id })}
          openId={view.open}
          skeletonRows={8}
          empty={
            view.state !== "all" && view.state !== "delivered" ? (
              <AllDone title={nothing[view.state]}>{caughtUp[view.state]}</AllDone>
            ) : view.state === "all" ? (
              <NothingYet icon={ScrollText} title="No deliveries yet">
                Send a test event from the menu above, or send a message: its events appear here.
              </NothingYet>
            ) : (
              <NoMatch what="deliveries" onClear={() => void setView({ state: null, cursor: null })} />
            )
          }
          compact={(row) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="block truncate font-mono text-xs">{row.event}</span>
                <RelativeTime value={row.at} className="text-xs text-ink-muted" />
              </span>
              <DeliveryState state={row.state} />
            </span>
          )}
          footer={
            <Pager
              cursor={view.cursor}
              nextCursor={query.data?.nextCursor}
              onChange={(cursor) => void setView({ cursor, open: null })}
            />
          }
        />
      )}
      {view.open ? (
        <DeliveryPanel
          endpointId={endpointId}
          deliveryId={view.open}
          onClose={() => void setView({ open: null })}
        />
      ) : null}
    </section>
  );
}

const nothing = {
  pending: "No pending events",
  failed: "No failed events",
  discarded: "No missed events",
} as const;

const caughtUp = {
  pending: "All events have been delivered or given up.",
  failed: "No event ran out of attempts.",
  discarded: "The endpoint was never off when an event happened.",
} as const;

const labels = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
  discarded: "Missed",
} as const;

function DeliveryLabel({ state }: { state: keyof typeof labels }) {
  return labels[state];
}
