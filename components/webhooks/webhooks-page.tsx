"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import type { EndpointSuccess, Webhook } from "../../server/webhooks/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { plural } from "../ui/format.ts";
import { SecretOnce } from "../ui/secret-once.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { SuccessShare, useSuccessRates } from "./success-rate.tsx";
import { WebhookStatus } from "./webhook-status.tsx";

const WebhookForm = dynamic(() => import("./webhook-form.tsx").then((module) => module.WebhookForm));

type Row = Webhook & { success: EndpointSuccess | undefined };

const columns: DataColumn<Row>[] = [
  {
    id: "url",
    label: "Endpoint",
    fixed: true,
    skeleton: "w-64",
    className: "max-w-md",
    cell: (row) => (
      <span className="min-w-0">
        <span className="block truncate font-mono text-xs">{row.url}</span>
      </span>
    ),
  },
  {
    id: "description",
    label: "Description",
    skeleton: "w-32",
    className: "max-w-52",
    cell: (row) => <span className="block truncate text-ink-muted">{row.description}</span>,
  },
  { id: "status", label: "Status", skeleton: "w-20", cell: (row) => <WebhookStatus webhook={row} /> },
  {
    id: "success",
    label: "Success, 24 h",
    align: "right",
    skeleton: "w-12",
    cell: (row) => (row.success ? <SuccessShare rate={row.success.last24Hours} /> : null),
  },
  { id: "application", label: "Application", skeleton: "w-20", cell: (row) => row.application },
  {
    id: "events",
    label: "Events",
    skeleton: "w-14",
    cell: (row) => (
      <span className="text-ink-muted" title={row.events.join(", ")}>
        {row.events.length === 0 ? "All" : plural(row.events.length, "kind")}
      </span>
    ),
  },
  {
    id: "createdAt",
    label: "Added",
    align: "right",
    skeleton: "w-16",
    cell: (row) => <RelativeTime value={row.createdAt} className="text-ink-muted" />,
  },
];

export function WebhooksPage() {
  const { environment, unit, href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const [cursor, setCursor] = useQueryState("cursor", parseAsString.withOptions({ history: "push" }));
  const query = useQuery(
    trpc.webhooks.list.queryOptions({
      environmentId: environment.id,
      unitId: unit?.id,
      cursor: cursor ?? undefined,
    }),
  );
  const rates = useSuccessRates(query.data?.data.map(({ id }) => id) ?? []);
  const rows = query.data?.data.map((each) => ({ ...each, success: rates?.get(each.id) }));

  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> Add endpoint
    </Button>
  );

  return (
    <PageFrame>
      <PageHeader
        title="Webhooks"
        description="Signed events for your systems, retried until they are accepted."
        actions={add}
      />
      {query.isError && !query.data ? (
        <QueryFailed what="endpoints" query={query} />
      ) : (
        <DataTable
          id="webhooks"
          label="Webhook endpoints"
          columns={columns}
          rows={rows}
          rowId={(row) => row.id}
          rowLabel={(row) => `Open endpoint ${row.url}`}
          hrefOf={(row) => href(`/webhooks/${row.id}`)}
          skeletonRows={4}
          empty={
            <NothingYet
              icon={WebhookIcon}
              title={unit ? `No webhook endpoints in ${unit.name} yet` : "No webhook endpoints yet"}
              action={add}
            >
              Add an endpoint to receive deliveries, failures and opt-outs in {environment.name} within
              seconds. Systems that can&apos;t be posted to read the same events with GET /v1/events.
            </NothingYet>
          }
          compact={(row) => (
            <span className="grid gap-1.5">
              <span className="truncate font-mono text-xs">{row.url}</span>
              <span className="flex items-center justify-between text-sm text-ink-muted">
                {row.application} <WebhookStatus webhook={row} />
              </span>
            </span>
          )}
          footer={
            <Pager
              cursor={cursor}
              nextCursor={query.data?.nextCursor}
              onChange={(next) => void setCursor(next)}
            />
          }
        />
      )}
      {adding ? (
        <WebhookForm
          webhook={null}
          onClose={() => setAdding(false)}
          onCreated={(result) => setCreated(result)}
        />
      ) : null}
      <SecretOnce
        secret={created?.secret ?? null}
        title="Signing secret"
        explanation="Your receiver verifies each event with it. Copy it now; it can't be shown again."
        onClose={() => {
          const id = created?.id;
          setCreated(null);
          if (id) router.push(href(`/webhooks/${id}`));
        }}
      />
    </PageFrame>
  );
}
