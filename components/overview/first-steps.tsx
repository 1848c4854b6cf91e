"use client";

import { ArrowRight, KeyRound, Send, Webhook, type LucideIcon } from "lucide-react";
import { usePortal } from "../portal/portal-context.tsx";
import { Card } from "../ui/card.tsx";
import { Link } from "../ui/link.tsx";

/** What to do in an environment that has not sent anything for two periods; `guided`: the checklist says it already. */
export function FirstSteps({ guided }: { guided: boolean }) {
  const { can, environment, href } = usePortal();
  const steps: readonly {
    icon: LucideIcon;
    title: string;
    text: string;
    path: string;
    permission: string;
  }[] = [
    {
      icon: Send,
      title: "Send yourself a message",
      text: "Choose a template, fill in its variables, and follow it until it is delivered.",
      path: "/send",
      permission: "notifications:send",
    },
    {
      icon: KeyRound,
      title: "Create an API key",
      text: "One key per application and environment. A single POST sends a message.",
      path: "/api-keys",
      permission: "api_keys:manage",
    },
    {
      icon: Webhook,
      title: "Add a webhook endpoint",
      text: "Receive every change of status in your systems, signed and retried.",
      path: "/webhooks",
      permission: "webhooks:manage",
    },
  ];
  const open = guided ? [] : steps.filter((step) => can(step.permission));
  return (
    <Card className="mb-4 px-6 py-8 sm:px-10 sm:py-12">
      <h2 className="text-xl font-semibold tracking-[-0.015em]">No messages in {environment.name} yet</h2>
      <p className="mt-1 max-w-lg text-ink-muted">
        Figures appear here once the first message is accepted.
        {open.length > 0 ? " Next steps:" : null}
      </p>
      {open.length > 0 ? (
        <ol className="mt-6 grid gap-3 lg:grid-cols-3">
          {open.map((step) => (
            <li key={step.path}>
              <Link
                href={href(step.path)}
                className="group flex h-full flex-col rounded-lg border border-line p-4 transition-colors hover:border-line-strong hover:bg-hover"
              >
                <span className="mb-3 grid size-8 place-items-center rounded-md bg-accent-soft text-accent-text">
                  <step.icon className="size-4" aria-hidden />
                </span>
                <span className="flex items-center gap-1 font-medium">
                  {step.title}
                  <ArrowRight
                    className="size-4 text-ink-faint transition-transform group-hover:translate-x-0.5"
                    aria-hidden
                  />
                </span>
                <span className="mt-1 text-sm text-ink-muted">{step.text}</span>
              </Link>
            </li>
          ))}
        </ol>
      ) : null}
    </Card>
  );
}
