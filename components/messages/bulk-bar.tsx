"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleSlash, FileDown, RotateCcw, X } from "lucide-react";
import { useState } from "react";
import type { NotificationSummary } from "../../server/sending/schemas.ts";
import { useStartExport } from "../exports/start-export.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { canceledText, resentText } from "./bulk-words.ts";

type Done = { text: string; details: readonly { id: string; to: string; detail: string }[] };

/** One that is being sent may wait for another attempt; whether a provider has it is decided when it is canceled. */
const cancelable: ReadonlySet<string> = new Set(["pending_approval", "scheduled", "queued", "sending"]);
const resendable: ReadonlySet<string> = new Set(["failed", "expired", "rejected", "canceled"]);

/** What can be done with the messages that are ticked, and what came of it, message by message. */
export function BulkBar({
  messages,
  most,
  onClear,
}: {
  messages: readonly NotificationSummary[];
  /** So many can be ticked. */
  most: number;
  onClear: () => void;
}) {
  const { can, environment, href } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("notifications");
  const [asking, setAsking] = useState<"cancel" | "resend" | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const start = useStartExport();
  const toOf = (id: string) => messages.find((each) => each.notificationId === id)?.to ?? id;
  const ended = async (result: Done) => {
    setAsking(null);
    setDone(result);
    onClear();
    await refresh();
  };
  const failed = (error: Parameters<typeof errorText>[0]) => {
    setAsking(null);
    setDone({ text: errorText(error), details: [] });
  };
  const cancel = useMutation(
    trpc.notifications.cancelSeveral.mutationOptions({
      onSuccess: ({ results }) =>
        ended({
          text: canceledText(results),
          details: results
            .filter(({ outcome }) => outcome !== "canceled")
            .map(({ id, outcome }) => ({
              id,
              to: toOf(id),
              detail: outcome === "too_late" ? "Already on its way or done" : "You can’t cancel this message",
            })),
        }),
      onError: failed,
    }),
  );
  const resend = useMutation(
    trpc.notifications.resendSeveral.mutationOptions({
      onSuccess: ({ results }) =>
        ended({
          text: resentText(results),
          details: results
            .filter(({ outcome }) => outcome !== "resent")
            .map(({ id, newId, outcome, detail }) => ({
              id: newId ?? id,
              to: toOf(id),
              detail:
                outcome === "already_resent"
                  ? "Sent again within the last 24 hours"
                  : (detail ?? "You can’t send this message"),
            })),
        }),
      onError: failed,
    }),
  );
  const cancels = messages.filter(({ status }) => cancelable.has(status));
  const resends = messages.filter(({ status }) => resendable.has(status));
  const idsOf = (of: readonly NotificationSummary[]) => of.map(({ notificationId }) => notificationId);

  if (messages.length === 0 && !done) return null;
  return (
    <div className="sticky bottom-4 z-20 mt-3 grid gap-2">
      {messages.length > 0 ? (
        <div
          role="toolbar"
          aria-label="Selected messages"
          className="flex flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 text-sm shadow-lg"
        >
          <span className="mr-1 font-medium tabular" role="status">
            {messages.length} selected
            {messages.length >= most ? <span className="font-normal text-ink-muted"> (the most)</span> : null}
          </span>
          {can("notifications:cancel") ? (
            <Button size="sm" disabled={cancels.length === 0} onClick={() => setAsking("cancel")}>
              <CircleSlash aria-hidden /> Cancel {cancels.length > 0 ? cancels.length : null}
            </Button>
          ) : null}
          {can("notifications:send") ? (
            <Button size="sm" disabled={resends.length === 0} onClick={() => setAsking("resend")}>
              <RotateCcw aria-hidden /> Send again {resends.length > 0 ? resends.length : null}
            </Button>
          ) : null}
          <Button
            size="sm"
            pending={start.isPending}
            onClick={() =>
              start.mutate({
                kind: "messages",
                filter: { environmentId: environment.id, ids: idsOf(messages) },
              })
            }
          >
            <FileDown aria-hidden /> Export {messages.length}
          </Button>
          <Button size="sm" variant="ghost" className="ml-auto" onClick={onClear}>
            <X aria-hidden /> Clear selection
          </Button>
        </div>
      ) : null}
      {done ? (
        <div
          role="status"
          className="order-first flex items-start gap-3 rounded-lg border border-line-strong bg-raised px-4 py-3 text-sm shadow-lg"
        >
          <div className="min-w-0 flex-1">
            <p className="font-medium">{done.text}</p>
            {done.details.length > 0 ? (
              <details className="mt-1" open={done.details.length <= 5}>
                <summary className="cursor-pointer text-ink-muted">
                  Why {plural(done.details.length, "message")} not
                </summary>
                <ul className="mt-1 grid max-h-48 gap-1 overflow-y-auto">
                  {done.details.map(({ id, to, detail }) => (
                    <li key={id} className="flex min-w-0 gap-2">
                      <Link
                        href={href(`/messages/${id}`)}
                        className="max-w-48 shrink-0 truncate tabular underline underline-offset-4"
                      >
                        {to}
                      </Link>
                      <span className="min-w-0 text-ink-muted">{detail}</span>
                    </li>
                  ))}
                </ul>
              </details>
            ) : null}
          </div>
          <Button size="iconSm" variant="ghost" aria-label="Dismiss" onClick={() => setDone(null)}>
            <X aria-hidden />
          </Button>
        </div>
      ) : null}
      <ConfirmDialog
        open={asking === "cancel"}
        onClose={() => setAsking(null)}
        title={`Cancel ${plural(cancels.length, "message")}?`}
        confirmLabel={`Cancel ${plural(cancels.length, "message")}`}
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate({ ids: idsOf(cancels) })}
      >
        Those that haven’t been handed to a provider by then will not be sent. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "resend"}
        onClose={() => setAsking(null)}
        title={`Send ${plural(resends.length, "message")} again?`}
        confirmLabel={`Send ${plural(resends.length, "message")}`}
        danger={false}
        pending={resend.isPending}
        onConfirm={() => resend.mutate({ ids: idsOf(resends) })}
      >
        Each becomes a new message with the same values and the template that is live now. Consent,
        suppressions and limits apply as to any message.
      </ConfirmDialog>
    </div>
  );
}
