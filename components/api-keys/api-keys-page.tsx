"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, MoreHorizontal, Plus, RefreshCw, Trash2 } from "lucide-react";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { toast } from "sonner";
import type { ApiKeySummary } from "../../server/access/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { Pager } from "../data-table/pager.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { ApiKeyState } from "./api-key-state.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";

export function ApiKeysPage() {
  const { applications, environment, tenant, units } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(
    { ended: parseAsBoolean.withDefault(false), cursor: parseAsString },
    { history: "push" },
  );
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ what: "revoke" | "rotate"; key: ApiKeySummary } | null>(null);

  const query = useQuery(
    trpc.apiKeys.list.queryOptions({
      environmentId: environment.id,
      includeEnded: view.ended,
      cursor: view.cursor ?? undefined,
    }),
  );
  const refresh = useRefresh("apiKeys");
  const onError = (error: unknown) => void toast.error(errorText(error));
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: async () => {
        toast.success(`Key “${asked?.key.name ?? ""}” revoked; it stops working within seconds`);
        setAsked(null);
        await refresh();
      },
      onError,
    }),
  );
  const rotate = useMutation(
    trpc.apiKeys.rotate.mutationOptions({
      onSuccess: async (created) => {
        setAsked(null);
        setSecret(created.key);
        await refresh();
      },
      onError,
    }),
  );

  const columns = useMemo<DataColumn<ApiKeySummary>[]>(() => {
    const scope = (key: ApiKeySummary) =>
      applications.find((each) => each.id === key.applicationId)?.title ??
      units.find((each) => each.id === key.unitId)?.name ??
      (key.applicationId || key.unitId ? "–" : tenant.name);
    return [
      {
        id: "name",
        label: "Name",
        fixed: true,
        skeleton: "w-32",
        className: "max-w-60",
        cell: (row) => <span className="block truncate font-medium">{row.name}</span>,
      },
      {
        id: "hint",
        label: "Key",
        skeleton: "w-36",
        cell: (row) => <code className="font-mono text-xs text-ink-muted">{row.hint}</code>,
      },
      { id: "state", label: "State", skeleton: "w-14", cell: (row) => <ApiKeyState state={row.state} /> },
      { id: "scope", label: "Works for", skeleton: "w-24", cell: scope },
      { id: "role", label: "Role", skeleton: "w-16", cell: (row) => row.role.name },
      {
        id: "lastUsed",
        label: "Last used",
        skeleton: "w-16",
        cell: (row) =>
          row.lastUsedAt ? (
            <RelativeTime value={row.lastUsedAt} className="text-ink-muted" />
          ) : (
            <span className="text-ink-faint">never</span>
          ),
      },
      {
        id: "expires",
        label: "Expires",
        skeleton: "w-16",
        cell: (row) =>
          row.expiresAt ? (
            <RelativeTime value={row.expiresAt} className="text-ink-muted" />
          ) : (
            <span className="text-ink-faint">never</span>
          ),
      },
      {
        id: "created",
        label: "Made",
        skeleton: "w-24",
        hiddenAtFirst: true,
        cell: (row) => (
          <span className="text-ink-muted">
            <AbsoluteTime value={row.createdAt} /> {row.createdBy ? `by ${row.createdBy}` : ""}
          </span>
        ),
      },
      {
        id: "actions",
        label: "Actions",
        hideLabel: true,
        fixed: true,
        align: "right",
        skeleton: "w-6",
        className: "w-12",
        cell: (row) =>
          row.state === "revoked" || row.state === "expired" ? null : (
            <DropdownMenu>
              <DropdownMenuTrigger asChild>
                <Button variant="ghost" size="iconSm" aria-label={`Actions for key ${row.name}`}>
                  <MoreHorizontal aria-hidden />
                </Button>
              </DropdownMenuTrigger>
              <DropdownMenuContent align="end">
                <DropdownMenuItem onSelect={() => setAsked({ what: "rotate", key: row })}>
                  <RefreshCw aria-hidden /> Rotate…
                </DropdownMenuItem>
                <DropdownMenuItem danger onSelect={() => setAsked({ what: "revoke", key: row })}>
                  <Trash2 aria-hidden /> Revoke…
                </DropdownMenuItem>
              </DropdownMenuContent>
            </DropdownMenu>
          ),
      },
    ];
  }, [applications, units, tenant.name]);

  const add = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Create API key
    </Button>
  );

  return (
    <PageFrame>
      <PageHeader
        title="API keys"
        description="Each key works in one environment, for one application, team or the whole organisation."
        actions={
          <>
            <Segmented
              label="Which keys"
              value={view.ended ? "all" : "valid"}
              onValueChange={(which) => void setView({ ended: which === "all", cursor: null })}
              options={[
                { value: "valid", label: "Valid" },
                { value: "all", label: "All" },
              ]}
            />
            {add}
          </>
        }
      />
      {query.isError && !query.data ? (
        <QueryFailed what="API keys" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          id="api-keys"
          label="API keys"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name}
          skeletonRows={4}
          empty={
            <NothingYet icon={KeyRound} title={`No key for ${environment.name}`} action={add}>
              Applications authenticate with a key in the Authorization header. Create one for each
              application.
            </NothingYet>
          }
          compact={(row) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="block truncate font-medium">{row.name}</span>
                <code className="font-mono text-xs text-ink-muted">{row.hint}</code>
              </span>
              <span className="flex items-center gap-1">
                <ApiKeyState state={row.state} />
                {columns.at(-1)?.cell(row)}
              </span>
            </span>
          )}
          footer={
            <Pager
              cursor={view.cursor}
              nextCursor={query.data?.nextCursor}
              onChange={(cursor) => void setView({ cursor })}
            />
          }
        />
      )}
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} onCreated={setSecret} /> : null}
      <SecretOnce
        secret={secret}
        title="Your new key"
        explanation="Give it to the application now. It is shown this once."
        onClose={() => setSecret(null)}
      />
      <ConfirmDialog
        open={asked?.what === "revoke"}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Revoke “${asked?.key.name ?? ""}”?`}
        confirmLabel="Revoke key"
        typeToConfirm={asked?.key.name ?? ""}
        pending={revoke.isPending}
        onConfirm={() => asked && revoke.mutate({ id: asked.key.id })}
      >
        Whatever uses it is refused within five seconds, in {environment.name}. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked?.what === "rotate"}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`Rotate “${asked?.key.name ?? ""}”?`}
        confirmLabel="Rotate key"
        danger={false}
        pending={rotate.isPending}
        onConfirm={() => asked && rotate.mutate({ id: asked.key.id })}
      >
        A new key with the same permissions is created. The current one stays valid for 24 hours, so that the
        application can change over.
      </ConfirmDialog>
    </PageFrame>
  );
}
