"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, MoreHorizontal, Plus, RefreshCw, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useCallback, useMemo, useState } from "react";
import { toast } from "../ui/toast.ts";
import type { ApiKeySummary } from "../../server/access/schemas.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { usePanelHref } from "../data-table/use-panel-href.ts";
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
import { Badge } from "../ui/badge.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { ApiKeyState } from "./api-key-state.tsx";
import { KeyPanel, type KeyAction } from "./key-panel.tsx";

const CreateKeyDialog = dynamic(() =>
  import("./create-key-dialog.tsx").then((module) => module.CreateKeyDialog),
);
const EditKeyDialog = dynamic(() => import("./edit-key-dialog.tsx").then((module) => module.EditKeyDialog));
const HandOverDialog = dynamic(() =>
  import("./hand-over-dialog.tsx").then((module) => module.HandOverDialog),
);
const RotateKeyDialog = dynamic(() =>
  import("./rotate-key-dialog.tsx").then((module) => module.RotateKeyDialog),
);

export function ApiKeysPage() {
  const panelHref = usePanelHref();
  const { applications, environment, tenant, units } = usePortal();
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(
    { ended: parseAsBoolean.withDefault(false), cursor: parseAsString, open: parseAsString },
    { history: "push" },
  );
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [asked, setAsked] = useState<{ what: KeyAction; key: ApiKeySummary } | null>(null);

  const query = useQuery(
    trpc.apiKeys.list.queryOptions({
      environmentId: environment.id,
      includeEnded: view.ended,
      cursor: view.cursor ?? undefined,
    }),
  );
  const refresh = useRefresh("apiKeys");
  const onError = (error: unknown) => toast.error(errorText(error));
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: async () => {
        toast.success(`Key “${asked?.key.name ?? ""}” revoked. It stops working within seconds`);
        setAsked(null);
        await refresh();
      },
      onError,
    }),
  );
  const scopeOf = useCallback(
    (key: ApiKeySummary) =>
      applications.find((each) => each.id === key.applicationId)?.title ??
      units.find((each) => each.id === key.unitId)?.name ??
      (key.applicationId || key.unitId ? "–" : tenant.name),
    [applications, units, tenant.name],
  );
  const opened = query.data?.data.find(({ id }) => id === view.open);

  const columns = useMemo<DataColumn<ApiKeySummary>[]>(() => {
    return [
      {
        id: "name",
        label: "Name",
        fixed: true,
        skeleton: "w-32",
        className: "max-w-60",
        cell: (row) => (
          <span className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium">{row.name}</span>
            {row.agent ? <Badge tone="info">Agent</Badge> : null}
          </span>
        ),
      },
      {
        id: "hint",
        label: "Key",
        skeleton: "w-36",
        cell: (row) => <code className="font-mono text-xs text-ink-muted">{row.hint}</code>,
      },
      { id: "state", label: "State", skeleton: "w-14", cell: (row) => <ApiKeyState state={row.state} /> },
      { id: "scope", label: "Scope", skeleton: "w-24", cell: scopeOf },
      { id: "role", label: "Role", skeleton: "w-16", cell: (row) => row.role.name },
      {
        id: "owner",
        label: "Owner",
        skeleton: "w-24",
        className: "max-w-40",
        cell: (row) =>
          row.owner ? (
            <span className="block truncate">{row.owner.name}</span>
          ) : (
            <span className="text-ink-faint">nobody</span>
          ),
      },
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
        label: "Created",
        skeleton: "w-24",
        hiddenAtFirst: true,
        cell: (row) => <AbsoluteTime value={row.createdAt} />,
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
  }, [scopeOf]);

  const add = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> Create API key
    </Button>
  );

  return (
    <PageFrame>
      <PageHeader
        title="API keys"
        description="Each key works in one environment, for one application, one team or the whole organisation."
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
        <QueryFailed what="API keys" query={query} />
      ) : (
        <DataTable
          id="api-keys"
          label="API keys"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name}
          hrefOf={(row) => panelHref(row.id)}
          onOpen={(row) => void setView({ open: row.id })}
          openId={view.open}
          skeletonRows={4}
          empty={
            <NothingYet icon={KeyRound} title={`No key for ${environment.name}`} action={add}>
              Systems authenticate with a key. Create one for each application.
            </NothingYet>
          }
          compact={(row) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="block truncate font-medium">{row.name}</span>
                <code className="font-mono text-xs text-ink-muted">{row.hint}</code>
              </span>
              <span className="flex items-center gap-1">
                {row.agent ? <Badge tone="info">Agent</Badge> : null}
                <ApiKeyState state={row.state} />
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
        explanation="Use it in the Authorization header of your requests."
        onClose={() => setSecret(null)}
      />
      <ConfirmDialog
        open={asked?.what === "revoke"}
        onClose={() => setAsked(null)}
        title={`Revoke “${asked?.key.name ?? ""}”?`}
        confirmLabel="Revoke key"
        typeToConfirm={asked?.key.name ?? ""}
        pending={revoke.isPending}
        onConfirm={() => asked && revoke.mutate({ id: asked.key.id })}
      >
        Requests with it are refused within five seconds, in {environment.name}. This can't be undone.
      </ConfirmDialog>
      {asked?.what === "rotate" ? (
        <RotateKeyDialog apiKey={asked.key} onClose={() => setAsked(null)} onRotated={setSecret} />
      ) : null}
      {asked?.what === "edit" ? <EditKeyDialog apiKey={asked.key} onClose={() => setAsked(null)} /> : null}
      {asked?.what === "handOver" ? (
        <HandOverDialog apiKey={asked.key} onClose={() => setAsked(null)} />
      ) : null}
      {opened ? (
        <KeyPanel
          apiKey={opened}
          scope={scopeOf(opened)}
          asking={asked !== null}
          onAsk={(what) => setAsked({ what, key: opened })}
          onClose={() => void setView({ open: null })}
        />
      ) : null}
    </PageFrame>
  );
}
