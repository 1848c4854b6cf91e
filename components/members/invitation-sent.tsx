"use client";

import { MailCheck, MailX } from "lucide-react";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../../server/trpc/root.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { shownOnce } from "../ui/leaving.ts";
import { Link } from "../ui/link.tsx";

export type SentInvitation = inferRouterOutputs<AppRouter>["members"]["invite"];

/** What became of an invitation: whether it was sent, and the link that can be passed on by hand. */
export function InvitationSent({ email, sent }: { email: string; sent: SentInvitation }) {
  const { href, can } = usePortal();
  const { delivery, link } = sent;
  return (
    <div className="grid gap-4 text-sm">
      {delivery.by === "email" ? (
        <p className="flex gap-2.5">
          <MailCheck className="mt-0.5 size-4 shrink-0 text-success-text" aria-hidden />
          <span>
            An e-mail to <strong className="font-medium break-all">{email}</strong> is on its way through your
            connection “{delivery.connection}”.{" "}
            {can("notifications:read") ? (
              <Link
                href={href(`/messages/${delivery.notificationId}`)}
                className="underline underline-offset-2"
              >
                View message
              </Link>
            ) : null}
          </span>
        </p>
      ) : (
        <p className="flex gap-2.5">
          <MailX className="mt-0.5 size-4 shrink-0 text-warning-text" aria-hidden />
          <span>
            <strong className="font-medium">No e-mail was sent.</strong> {delivery.detail} Copy the link and
            send it yourself.
          </span>
        </p>
      )}
      <div>
        <p className="mb-1.5 font-medium">The link</p>
        <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-2 pr-2 pl-3">
          <code {...shownOnce} className="min-w-0 flex-1 font-mono text-xs break-all select-all">
            {link}
          </code>
          <CopyButton value={link} label="Copy link" className="size-7" />
        </div>
        <p className="mt-1.5 text-xs text-ink-muted">
          Anyone with the link can join, once, within seven days. It can't be shown again. Sending the
          invitation again creates a new link.
        </p>
      </div>
    </div>
  );
}
