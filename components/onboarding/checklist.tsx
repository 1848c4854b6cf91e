"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRight, CircleCheck, CircleDashed, X } from "lucide-react";
import { toast } from "../ui/toast.ts";
import type { ChecklistStep } from "../../server/onboarding/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { Link } from "../ui/link.tsx";

/** Each step: what it is, why, where it is done, and who may do it there. */
const faces: Record<
  ChecklistStep,
  { title: string; text: string; path: string; in: "sandbox" | "production"; permission: string }
> = {
  sandbox: {
    title: "Send a message in the sandbox",
    text: "Template, route and simulator are ready. Nothing is really sent.",
    path: "/send",
    in: "sandbox",
    permission: "notifications:send",
  },
  provider: {
    title: "Connect a provider",
    text: "Your account for real messages, such as Twilio, SMTP or Meta.",
    path: "/providers/new",
    in: "production",
    permission: "providers:manage",
  },
  route: {
    title: "Route production to it",
    text: "One rule is enough: send everything, or one channel, through your provider.",
    path: "/routing",
    in: "production",
    permission: "routing:manage",
  },
  template: {
    title: "Promote a template to production",
    text: "Promote one from staging. Production needs a second person's approval, unless you change its gates.",
    path: "/pipeline",
    in: "production",
    permission: "templates:read",
  },
  key: {
    title: "Create an API key for production",
    text: "With it your systems send. It is shown once.",
    path: "/api-keys",
    in: "production",
    permission: "api_keys:manage",
  },
  delivered: {
    title: "Send the first message in production",
    text: "Once it is delivered, you are done.",
    path: "/send",
    in: "production",
    permission: "notifications:send",
  },
};

/** `steps`: undefined while they are not known, null when they are not shown. A first failure ends the waiting for them. */
export function useChecklist() {
  const trpc = useTRPC();
  const { data, isPending, failureCount } = useQuery(trpc.onboarding.checklist.queryOptions());
  return { steps: data?.steps, isAwaited: isPending && failureCount === 0 };
}

/** The way to the first message in production, until it was delivered or the reader has put the list away. */
export function Checklist() {
  const { can, environments, href } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { steps } = useChecklist();
  const dismiss = useMutation(
    trpc.onboarding.dismissChecklist.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.onboarding.pathKey() }),
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  // What is not known yet, or not to be had, takes no room.
  if (!steps) return null;
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done)?.step;
  const slugOf = (kind: "sandbox" | "production") =>
    environments.find((environment) => environment.kind === kind)?.slug;
  return (
    <Card aria-label="First steps" className="mb-4">
      <header className="flex items-start justify-between gap-4 px-4 pt-3.5 pb-2">
        <div className="min-w-0">
          <h2 className="text-sm font-semibold">From here to your first message in production</h2>
          <p className="mt-0.5 text-xs text-ink-muted">
            {done} of {steps.length} steps done
          </p>
        </div>
        <Button size="sm" variant="ghost" pending={dismiss.isPending} onClick={() => dismiss.mutate()}>
          <X aria-hidden /> Hide
        </Button>
      </header>
      <ol className="pb-2">
        {steps.map(({ step, done: isDone }) => {
          const face = faces[step];
          const Icon = isDone ? CircleCheck : CircleDashed;
          const row = (
            <>
              <Icon
                className={cn("mt-0.5 size-4.5 shrink-0", isDone ? "text-success-text" : "text-ink-faint")}
                aria-hidden
              />
              <span className="min-w-0 flex-1">
                <span className={cn("block text-sm", isDone ? "text-ink-muted" : "font-medium")}>
                  {face.title}
                  <span className="sr-only">{isDone ? ", done" : ", not done yet"}</span>
                </span>
                {step === next ? (
                  <span className="mt-0.5 block text-sm text-ink-muted">{face.text}</span>
                ) : null}
              </span>
            </>
          );
          const open = !isDone && can(face.permission);
          return (
            <li key={step}>
              {open ? (
                <Link
                  href={href(face.path, { env: slugOf(face.in) })}
                  className="group flex items-start gap-3 px-4 py-2 hover:bg-hover"
                >
                  {row}
                  <ArrowRight
                    className="mt-0.5 size-4 shrink-0 text-ink-faint transition-transform group-hover:translate-x-0.5"
                    aria-hidden
                  />
                </Link>
              ) : (
                <span className="flex items-start gap-3 px-4 py-2">{row}</span>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
