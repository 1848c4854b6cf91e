"use client";

import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { SandboxAction } from "../../server/sandbox/schemas.ts";
import type { Timeline } from "../../server/sending/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { Form } from "../ui/form.tsx";

type Choice = { label: string; action: SandboxAction; hint: string };

/** What the recipient of a channel can do with a message, besides answering it. */
function choicesOf({ notification: message, preview }: Timeline): Choice[] {
  const waiting = message.status === "sent" || message.status === "undetermined";
  const provider: Choice[] = waiting
    ? [
        { label: "Deliver", action: { action: "deliver" }, hint: "The provider reports it as delivered" },
        {
          label: "Fail",
          action: { action: "fail" },
          hint: "The provider reports that it could not deliver it",
        },
      ]
    : [];
  if (message.channel === "email") {
    return [
      { label: "Open", action: { action: "open" }, hint: "The recipient opens the mail" },
      { label: "Click a link", action: { action: "click" }, hint: "The recipient clicks a link" },
      { label: "Unsubscribe", action: { action: "optOut" }, hint: "The recipient opts out" },
      { label: "Complain", action: { action: "complain" }, hint: "The recipient reports it as spam" },
      {
        label: "Hard bounce",
        action: { action: "bounce", permanent: true },
        hint: "The mailbox doesn't exist",
      },
      { label: "Soft bounce", action: { action: "bounce", permanent: false }, hint: "The mailbox is full" },
      ...provider,
    ];
  }
  const taps = (preview?.buttons ?? [])
    .filter((button) => button.type === "quick_reply")
    .map((button, index): Choice => ({
      label: `Tap “${button.text}”`,
      action: { action: "tap", button: index },
      hint: "The recipient taps this button",
    }));
  return [
    ...taps,
    ...(message.channel === "whatsapp"
      ? [{ label: "Read", action: { action: "open" } as const, hint: "The recipient reads it" }]
      : []),
    { label: "Reply STOP", action: { action: "optOut" }, hint: "The recipient opts out" },
    { label: "Reply START", action: { action: "optIn" }, hint: "The recipient opts in again" },
    ...provider,
  ];
}

/** Lets a developer do what the recipient of a message of the sandbox would do. */
export function RecipientActions({ timeline }: { timeline: Timeline }) {
  const { can } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("notifications", "conversations", "consent", "suppressions");
  const [text, setText] = useState("");
  const { notification: message } = timeline;
  const act = useMutation(
    trpc.sandbox.act.mutationOptions({
      onSuccess: ({ action }) => {
        if (action === "reply") setText("");
        toast.success("Simulated. The provider's callback is on its way");
        // It comes within a second or two; an ended message is not asked for again by itself.
        for (const delay of [700, 2_000, 4_000]) {
          setTimeout(() => {
            void refresh();
          }, delay);
        }
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  if (!can("notifications:send") || message.providerMessageId === null) return null;
  const send = (action: SandboxAction) => act.mutate({ id: message.notificationId, action });

  return (
    <section
      aria-labelledby="recipient-actions"
      className="mt-6 rounded-lg border border-line bg-surface p-4"
    >
      <h2 id="recipient-actions" className="text-sm font-semibold">
        Act as the recipient
      </h2>
      <p className="mt-0.5 text-sm text-ink-muted">
        The simulated provider calls back like a real one, and your webhooks are called.
      </p>
      {message.channel === "email" ? null : (
        <Form
          className="mt-3 flex gap-2"
          onSubmit={() => {
            if (text.trim() !== "") send({ action: "reply", text });
          }}
        >
          <Input
            aria-label="Reply from the recipient"
            placeholder="Reply from the recipient"
            maxLength={4096}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" variant="primary" disabled={text.trim() === ""} pending={act.isPending}>
            <Send aria-hidden /> Answer
          </Button>
        </Form>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {choicesOf(timeline).map((choice) => (
          <Button
            key={choice.label}
            size="sm"
            title={choice.hint}
            disabled={act.isPending}
            onClick={() => send(choice.action)}
          >
            {choice.label}
          </Button>
        ))}
      </div>
    </section>
  );
}
