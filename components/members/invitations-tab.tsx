"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { MailPlus, MoreHorizontal, Send, Trash2 } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { toast } from "../ui/toast.ts";
import type { AppRouter } from "../../server/trpc/root.ts";
import { DataTable, type DataColumn } from "../data-table/data-table.tsx";
import { Pager } from "../data-table/pager.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { named } from "../ui/isolated.ts";
import { InvitationSent, type SentInvitation } from "./invitation-sent.tsx";
import { usePlaceName } from "./use-grantable.ts";

type Invitation = inferRouterOutputs<AppRouter>["members"]["invitations"]["data"][number];

/** Who was invited and has not come yet; an invitation can be sent again with a new link, or withdrawn. */
export function InvitationsTab() {
  const trpc = useTRPC();
  const refresh = useRefresh("members", "roles");
  const placeName = usePlaceName();
  const [cursor, setCursor] = useQueryState("cursor", parseAsString.withOptions({ history: "push" }));
  const query = useQuery(trpc.members.invitations.queryOptions({ cursor: cursor ?? undefined }));
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const [sent, setSent] = useState<{ email: string; invitation: SentInvitation } | null>(null);
  const onError = (error: unknown) => toast.error(errorText(error));
  const again = useMutation(
    trpc.members.inviteAgain.mutationOptions({
      onError,
      onSettled: () => void refresh(),
    }),
  );
  const withdraw = useMutation(
    trpc.members.withdrawInvitation.mutationOptions({
      onSuccess: () => toast.success(`The invitation of ${withdrawing?.email ?? ""} was withdrawn`),
      onError,
      onSettled: async () => {
        setWithdrawing(null);
        await refresh();
      },
    }),
  );
  const { mutate: sendAgain, isPending: sending } = again;

  const columns = useMemo<DataColumn<Invitation>[]>(
    () => [
      {
        id: "name",
        label: "Name",
        fixed: true,
        skeleton: "w-32",
        className: "max-w-60",
        cell: (row) => <span className="block truncate font-medium">{row.name}</span>,
      },
      {
        id: "email",
        label: "E-mail",
        skeleton: "w-40",
        className: "max-w-72",
        cell: (row) => <span className="block truncate text-ink-muted">{row.email}</span>,
      },
      {
        id: "roles",
        label: "Roles",
        skeleton: "w-32",
        className: "max-w-80",
        cell: (row) => (
          <span className="block truncate">
            {row.assignments.map((each) => `${each.roleName}, ${placeName(each.unitId)}`).join("; ")}
          </span>
        ),
      },
      {
        id: "by",
        label: "Invited",
        skeleton: "w-24",
        cell: (row) => (
          <span className="text-ink-muted">
            <RelativeTime value={row.sentAt} /> by {row.invitedBy}
          </span>
        ),
      },
      {
        id: "expires",
        label: "Expires",
        skeleton: "w-16",
        cell: (row) =>
          row.expired ? (
            <Badge tone="neutral">Expired</Badge>
          ) : (
            <RelativeTime value={row.expiresAt} ahead className="text-ink-muted" />
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
        cell: (row) => (
          <DropdownMenu>
            <DropdownMenuTrigger asChild>
              <Button variant="ghost" size="iconSm" aria-label={`Actions for the invitation of ${row.name}`}>
                <MoreHorizontal aria-hidden />
              </Button>
            </DropdownMenuTrigger>
            <DropdownMenuContent align="end">
              <DropdownMenuItem
                // A second one would end the link of the first.
                disabled={sending}
                onSelect={() =>
                  sendAgain(
                    { id: row.id },
                    { onSuccess: (invitation) => setSent({ email: row.email, invitation }) },
                  )
                }
              >
                <Send aria-hidden /> Send again
              </DropdownMenuItem>
              <DropdownMenuItem danger onSelect={() => setWithdrawing(row)}>
                <Trash2 aria-hidden /> Withdraw…
              </DropdownMenuItem>
            </DropdownMenuContent>
          </DropdownMenu>
        ),
      },
    ],
    [placeName, sendAgain, sending],
  );

  return (
    <>
      {query.isError && !query.data ? (
        <QueryFailed what="the invitations" query={query} />
      ) : (
        <DataTable
          id="invitations"
          label="Invitations"
          columns={columns}
          rows={query.data?.data}
          rowId={(row) => row.id}
          rowLabel={(row) => row.name}
          skeletonRows={4}
          empty={
            <NothingYet icon={MailPlus} title="No open invitations">
              People you invite appear here until they accept.
            </NothingYet>
          }
          compact={(row) => (
            <span className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="block truncate font-medium">{row.name}</span>
                <span className="block truncate text-xs text-ink-muted">{row.email}</span>
              </span>
              <span className="flex items-center gap-1">
                {row.expired ? <Badge tone="neutral">Expired</Badge> : null}
                {columns.at(-1)?.cell(row)}
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
      {sent ? (
        <Dialog
          open
          onClose={() => setSent(null)}
          title="New invitation created"
          description="The previous link no longer works."
          footer={
            <Button variant="primary" onClick={() => setSent(null)}>
              Done
            </Button>
          }
        >
          <InvitationSent email={sent.email} sent={sent.invitation} />
        </Dialog>
      ) : null}
      <ConfirmDialog
        open={withdrawing !== null}
        onClose={() => setWithdrawing(null)}
        title={`Withdraw the invitation of ${named(withdrawing?.name ?? "")}?`}
        confirmLabel="Withdraw invitation"
        pending={withdraw.isPending}
        onConfirm={() => withdrawing && withdraw.mutate({ id: withdrawing.id })}
      >
        Its link stops working. You can invite them again at any time.
      </ConfirmDialog>
    </>
  );
}
