"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleSlash, RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Notification } from "../../server/sending/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { resentText } from "./bulk-words.ts";
import { pollDelay } from "./poll-delay.ts";
import { Failure } from "./timeline.tsx";

/** One message with everything about it; asks again every second or so until its state is final and its webhooks are sent. */
export function useMessage(id: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.notifications.timeline.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) => (state.data ? pollDelay(state.data) : false),
      },
    ),
  );
}

/** Offered only while the message has not been handed to a provider. */
export function CancelMessage({ message }: { message: Notification }) {
  const trpc = useTRPC();
  const refresh = useRefresh("notifications");
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(
    trpc.notifications.cancel.mutationOptions({
      onSuccess: async () => {
        setAsking(false);
        toast.success("Message canceled; it will not be sent");
        await refresh();
      },
      onError: async (error) => {
        setAsking(false);
        toast.error(errorText(error));
        await refresh();
      },
    }),
  );
  return (
    <>
      <Button size="sm" variant="quietDanger" onClick={() => setAsking(true)}>
        <CircleSlash aria-hidden /> Cancel
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Cancel the message to ${message.to}?`}
        confirmLabel="Cancel message"
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate({ id: message.notificationId })}
      >
        It will not be sent. This can't be undone.
      </ConfirmDialog>
    </>
  );
}

/** Offered for one that did not arrive: a new message with the same values. */
export function ResendMessage({ message }: { message: Notification }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useRefresh("notifications");
  const [asking, setAsking] = useState(false);
  const resend = useMutation(
    trpc.notifications.resendSeveral.mutationOptions({
      onSuccess: async ({ results: [result] }) => {
        setAsking(false);
        if (result?.outcome === "refused") toast.error(result.detail ?? resentText([result]));
        else toast.success(result ? resentText([result]) : "");
        if (result?.newId) router.push(href(`/messages/${result.newId}`));
        await refresh();
      },
      onError: (error) => {
        setAsking(false);
        toast.error(errorText(error));
      },
    }),
  );
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        <RotateCcw aria-hidden /> Send again
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Send the message to ${message.to} again?`}
        confirmLabel="Send again"
        danger={false}
        pending={resend.isPending}
        onConfirm={() => resend.mutate({ ids: [message.notificationId] })}
      >
        A new message with the same values and the template that is live now. Consent, suppressions and limits
        apply as to any message.
      </ConfirmDialog>
    </>
  );
}

/** What stands between the reader and "delivered", said first. */
export function MessageProblem({ message }: { message: Notification }) {
  if (message.failure) {
    return (
      <div className="rounded-md border border-line bg-danger-soft px-3.5 py-3 text-sm text-danger-text">
        <Failure {...message.failure} />
        <ConsentLink message={message} code={message.failure.code} />
      </div>
    );
  }
  if (message.status === "pending_approval") return <WaitsForApproval requestId={message.requestId} />;
  if (message.reason) {
    return (
      <div className="rounded-md border border-line bg-warning-soft px-3.5 py-3 text-sm text-warning-text">
        <Failure {...message.reason} />
        <ConsentLink message={message} code={message.reason.code} />
      </div>
    );
  }
  return null;
}

/** To what the recipient has said, or why nothing is sent there, for who may see their address. */
function ConsentLink({ message, code }: { message: Notification; code: string }) {
  const { href, can } = usePortal();
  const suppressed = code === "suppressed";
  if (!suppressed && code !== "consent_denied") return null;
  if (!can("consent:read") || !/^(\+\d+|[^•]+@[^•]+)$/.test(message.to)) return null;
  const env = message.environment;
  return (
    <Link
      href={
        suppressed
          ? href("/suppressions", { q: message.to, env })
          : href("/consent", { address: message.to, env })
      }
      className="mt-1 inline-block underline underline-offset-4"
    >
      {suppressed ? "Why this address is suppressed" : "Consent of the recipient"}
    </Link>
  );
}

function WaitsForApproval({ requestId }: { requestId: string }) {
  const { href } = usePortal();
  return (
    <div className="rounded-md border border-line bg-warning-soft px-3.5 py-3 text-sm text-warning-text">
      Sent to production by an agent, so a person has to approve it.{" "}
      <Link href={href("/approvals", { open: requestId })} className="underline underline-offset-4">
        View request
      </Link>
    </div>
  );
}

export function MessageSkeleton() {
  return (
    <div className="grid gap-4 px-5 py-5" aria-busy>
      {[70, 45, 60, 80, 50, 65].map((width, index) => (
        <div key={index} className="flex items-center gap-3">
          <Skeleton className="size-6 rounded-full" />
          <div style={{ width: `${width}%` }}>
            <Skeleton className="w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}
