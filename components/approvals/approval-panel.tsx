"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { ApprovalDetails } from "../../server/sending/schemas.ts";
import { ChannelIcon, channelLabel } from "../messages/channel.tsx";
import { RenderedMessage } from "../messages/rendered-message.tsx";
import { StatusBadge } from "../messages/status-badge.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Facts } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { ApprovalState } from "./approval-state.tsx";

const RefuseDialog = dynamic(() => import("./refuse-dialog.tsx").then((module) => module.RefuseDialog));

/** One request beside the list: who asks, to whom it goes, what they would read, and the decision. */
export function ApprovalPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("approvals", "notifications");
  const query = useQuery(trpc.approvals.get.queryOptions({ id }));
  const [asked, setAsked] = useState<"approve" | "refuse" | null>(null);
  const approval = query.data;
  useShortcut("Escape", onClose, { label: "Close panel", enabled: asked === null });
  const approve = useMutation(
    trpc.approvals.approve.mutationOptions({
      onSuccess: async ({ messages }) => {
        setAsked(null);
        toast.success(`Approved: ${plural(messages, "message")} on the way`);
        await refresh();
      },
      onError: async (error) => {
        setAsked(null);
        toast.error(errorText(error));
        await refresh();
      },
    }),
  );

  return (
    <>
      <Sheet
        open
        onClose={onClose}
        title={approval ? plural(approval.messages, "message") : "Request"}
        subtitle={
          approval ? (
            <span className="flex flex-wrap items-center gap-2">
              <ApprovalState state={approval.state} />
              <span>
                {approval.key.name}, <RelativeTime value={approval.createdAt} />
              </span>
            </span>
          ) : undefined
        }
        className="sm:w-[46rem]"
      >
        {query.isError && !approval ? (
          <QueryFailed what="this request" query={query} />
        ) : approval ? (
          <>
            {approval.state === "waiting" ? (
              <Decision
                approval={approval}
                onApprove={() => setAsked("approve")}
                onRefuse={() => setAsked("refuse")}
              />
            ) : (
              <Outcome approval={approval} />
            )}
            {approval.revealed ? (
              approval.previews.map(({ notificationId, channel, preview }) =>
                preview ? (
                  <Section key={notificationId} title={`Message: ${channelLabel(channel)}`}>
                    <RenderedMessage message={{ ...preview, channel }} />
                  </Section>
                ) : null,
              )
            ) : (
              <Section title="Message">
                <p className="text-sm text-ink-muted">
                  You don't have access to addresses and content, so someone else has to approve this.
                </p>
              </Section>
            )}
            <Section title="Recipients">
              <Recipients approval={approval} />
            </Section>
            <Section title="Details">
              <Details approval={approval} />
            </Section>
          </>
        ) : (
          <div className="grid gap-3 px-5 py-4">
            <Skeleton className="h-9 w-48" />
            <Skeleton className="h-40 w-full" />
            <Skeleton className="h-16 w-full" />
          </div>
        )}
      </Sheet>
      <ConfirmDialog
        open={asked === "approve"}
        onClose={() => setAsked(null)}
        title={approval ? `Send ${plural(approval.messages, "message")}?` : "Send?"}
        confirmLabel="Approve and send"
        danger={false}
        pending={approve.isPending}
        onConfirm={() => approve.mutate({ id })}
      >
        They are sent now, in {approval?.environment}. Consent, suppressions and routing are checked as usual.
      </ConfirmDialog>
      {asked === "refuse" && approval ? (
        <RefuseDialog approval={approval} onClose={() => setAsked(null)} />
      ) : null}
    </>
  );
}

function Decision({
  approval,
  onApprove,
  onRefuse,
}: {
  approval: ApprovalDetails;
  onApprove: () => void;
  onRefuse: () => void;
}) {
  const blocked = approval.key.ended
    ? "The agent's key was revoked or its owner can no longer sign in, so this can't be approved."
    : null;
  return (
    <div className="border-b border-line px-5 py-4">
      {blocked ? <p className="mb-3 text-sm text-warning-text">{blocked}</p> : null}
      <div className="flex flex-wrap items-center gap-2">
        {approval.mayApprove && !approval.key.ended ? (
          <Button variant="primary" onClick={onApprove}>
            <Check aria-hidden /> Approve…
          </Button>
        ) : null}
        {approval.mayRefuse ? (
          <Button onClick={onRefuse}>
            <X aria-hidden /> Reject…
          </Button>
        ) : null}
        {approval.mayRefuse ? null : (
          <p className="text-sm text-ink-muted">Anyone who can send here can decide.</p>
        )}
        <span className="text-sm text-ink-muted">
          Expires <RelativeTime value={approval.expiresAt} ahead />
        </span>
      </div>
    </div>
  );
}

function Outcome({ approval }: { approval: ApprovalDetails }) {
  return (
    <div className="border-b border-line px-5 py-4 text-sm">
      {approval.decidedBy ? (
        <p>
          {approval.state === "approved" ? "Approved" : "Rejected"} by {approval.decidedBy}
          {approval.decidedAt ? (
            <>
              , <AbsoluteTime value={approval.decidedAt} />
            </>
          ) : null}
        </p>
      ) : (
        <p className="text-ink-muted">
          {approval.state === "canceled"
            ? "All of its messages were canceled."
            : "Not decided in time. Nothing was sent."}
        </p>
      )}
      {approval.reason ? <p className="mt-1 text-ink-muted">{approval.reason}</p> : null}
    </div>
  );
}

function Recipients({ approval }: { approval: ApprovalDetails }) {
  const { href } = usePortal();
  return (
    <>
      <ul className="divide-y divide-line rounded-md border border-line text-sm">
        {approval.recipients.map((each) => (
          <li key={each.notificationId} className="flex items-center gap-2 px-3 py-2">
            <ChannelIcon channel={each.channel} />
            <Link
              href={href(`/messages/${each.notificationId}`)}
              className="min-w-0 flex-1 truncate underline-offset-4 hover:underline"
            >
              <MaskedValue value={each.to} masked={!approval.revealed} />
            </Link>
            <StatusBadge status={each.status} final={false} simulated={each.simulated} />
          </li>
        ))}
      </ul>
      {approval.messages > approval.recipients.length ? (
        <p className="mt-2 text-xs text-ink-muted">
          The first {approval.recipients.length} of {approval.messages}.
        </p>
      ) : null}
    </>
  );
}

function Details({ approval }: { approval: ApprovalDetails }) {
  const { can, environments, href } = usePortal();
  const environment = environments.find(({ name }) => name === approval.environment)?.slug;
  return (
    <Facts
      items={[
        {
          label: "Agent",
          value: can("api_keys:manage") ? (
            <Link
              href={href("/api-keys", {
                env: environment,
                open: approval.key.id,
                ended: approval.key.ended ? "true" : null,
              })}
              className="text-accent-text underline-offset-4 hover:underline"
            >
              {approval.key.name}
            </Link>
          ) : (
            approval.key.name
          ),
        },
        { label: "Owner", value: approval.key.owner ?? "Nobody" },
        { label: "Application", value: approval.application },
        { label: "Environment", value: approval.environment },
        { label: "Type", value: `${approval.notificationType} / ${approval.notificationSubtype}` },
        { label: "Template", value: approval.template ?? "None" },
        approval.transactionId === null ? null : { label: "Transaction ID", value: approval.transactionId },
        { label: "Requested", value: <AbsoluteTime value={approval.createdAt} /> },
      ]}
    />
  );
}
