"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical, History, KeyRound, MoreHorizontal, Power, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Webhook } from "../../server/webhooks/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { plural } from "../ui/format.ts";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Segmented } from "../ui/segmented.tsx";

const spans = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 } as const;
type Span = keyof typeof spans | "off";

function sinceOf(span: Span, offSince: number, { retrySchedule }: Webhook): string {
  // What waited for its next attempt when the endpoint was switched off is up to a whole schedule older.
  const wholeSchedule = retrySchedule.reduce((sum, delay) => sum + delay, 0) * 1_000;
  const since = span === "off" ? offSince - wholeSchedule : Date.now() - spans[span] * 3_600_000;
  return new Date(since).toISOString();
}

/** Everything that can be done with one endpoint besides editing it. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const [ask, setAsk] = useState<"delete" | "rotate" | "replay" | null>(null);
  const [span, setSpan] = useState<Span>("24h");
  /** When it was switched off, of an endpoint that has just been switched on. */
  const [offSince, setOffSince] = useState<number | null>(null);
  const [secret, setSecret] = useState<string | null>(null);

  const refresh = useRefresh("webhooks");
  const onError = (error: unknown) => toast.error(errorText(error));

  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async (saved) => {
        if (saved.enabled && webhook.disabledAt !== null) {
          setOffSince(Date.parse(webhook.disabledAt));
          setSpan("off");
          setAsk("replay");
        }
        await refresh();
        toast.success(saved.enabled ? "Endpoint turned on" : "Endpoint turned off");
      },
      onError,
    }),
  );
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast.success("Test event sent");
      },
      onError,
    }),
  );
  const rotate = useMutation(
    trpc.webhooks.rotateSecret.mutationOptions({
      onSuccess: async (rotated) => {
        setAsk(null);
        setSecret(rotated.secret);
        await refresh();
      },
      onError,
    }),
  );
  const replay = useMutation(
    trpc.webhooks.replayFailed.mutationOptions({
      onSuccess: async (result) => {
        setAsk(null);
        await refresh();
        if (result.replayed === 0) toast.info("No failed or missed events in that period");
        else {
          toast.success(
            `Replaying ${plural(result.replayed, "event")}${result.complete ? "" : ". There are more: replay again"}`,
          );
        }
      },
      onError,
    }),
  );
  const remove = useMutation(
    trpc.webhooks.delete.mutationOptions({
      onSuccess: async () => {
        toast.success("Endpoint deleted");
        router.push(href("/webhooks"));
        await refresh();
      },
      onError,
    }),
  );
  const host = URL.parse(webhook.url)?.host ?? webhook.url;

  const turn = (enabled: boolean) => update.mutate({ id: webhook.id, changes: { enabled } });

  return (
    <>
      {webhook.enabled ? null : (
        <Button variant="primary" pending={update.isPending} onClick={() => turn(true)}>
          <Power aria-hidden /> Turn on
        </Button>
      )}
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="icon" aria-label="More actions">
            <MoreHorizontal aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem disabled={!webhook.enabled} onSelect={() => test.mutate({ id: webhook.id })}>
            <FlaskConical aria-hidden /> Send test event
          </DropdownMenuItem>
          <DropdownMenuItem disabled={!webhook.enabled} onSelect={() => setAsk("replay")}>
            <History aria-hidden /> Replay events…
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAsk("rotate")}>
            <KeyRound aria-hidden /> Rotate secret…
          </DropdownMenuItem>
          {webhook.enabled ? (
            <DropdownMenuItem onSelect={() => turn(false)}>
              <Power aria-hidden /> Turn off
            </DropdownMenuItem>
          ) : null}
          <DropdownMenuSeparator />
          <DropdownMenuItem danger onSelect={() => setAsk("delete")}>
            <Trash2 aria-hidden /> Delete…
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>

      <ConfirmDialog
        open={ask === "delete"}
        onClose={() => setAsk(null)}
        title={`Delete the endpoint at ${host}?`}
        confirmLabel="Delete endpoint"
        typeToConfirm={host}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: webhook.id })}
      >
        {webhook.application} in {webhook.environment} no longer receives events. Pending events are lost.
      </ConfirmDialog>
      <ConfirmDialog
        open={ask === "rotate"}
        onClose={() => setAsk(null)}
        title="Rotate signing secret?"
        confirmLabel="Rotate"
        danger={false}
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate({ id: webhook.id })}
      >
        Events are signed with a new secret. The current one also signs for 24 hours, so that the receiver can
        switch without losing events.
        {webhook.previousSecretExpiresAt
          ? " Secrets that you rotated in the last 24 hours keep signing as long as they were meant to."
          : null}
      </ConfirmDialog>
      <Dialog
        open={ask === "replay"}
        onClose={() => setAsk(null)}
        title={offSince !== null && span === "off" ? "Replay missed events?" : "Replay events"}
        description="Events from this period that failed or were missed are sent again, oldest first. Delivered events are not."
        footer={
          <>
            <Button onClick={() => setAsk(null)}>Cancel</Button>
            <Button
              variant="primary"
              pending={replay.isPending}
              onClick={() =>
                replay.mutate({
                  id: webhook.id,
                  since: sinceOf(span, offSince ?? Date.now(), webhook),
                })
              }
            >
              Replay
            </Button>
          </>
        }
      >
        <Segmented
          label="Period"
          value={span}
          onValueChange={setSpan}
          options={[
            ...(offSince === null ? [] : [{ value: "off" as const, label: "While off" }]),
            { value: "1h", label: "Last hour" },
            { value: "24h", label: "24 hours" },
            { value: "7d", label: "7 days" },
            { value: "30d", label: "30 days" },
          ]}
        />
      </Dialog>
      <SecretOnce
        secret={secret}
        title="New signing secret"
        explanation="Give it to your receiver within 24 hours. Copy it now; it can't be shown again."
        onClose={() => setSecret(null)}
      />
    </>
  );
}
