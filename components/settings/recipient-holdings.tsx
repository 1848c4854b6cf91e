"use client";

import { useMutation } from "@tanstack/react-query";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Holdings } from "../../server/privacy/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { formatNumber } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";

const names: Record<Holdings["counts"][number]["kind"], string> = {
  messages: "Messages",
  requests: "Requests with them",
  events: "What happened to messages",
  attempts: "Attempts to send",
  shortLinks: "Short links",
  webhookDeliveries: "Webhook deliveries",
  conversations: "Conversations",
  inboundMessages: "Messages from the recipient",
  consentEntries: "Consent and opt-outs",
  suppressions: "Suppressions",
  contacts: "Contacts",
  addressLinks: "Other addresses of the same person",
};

/** What is held about one recipient, and what can be done with it. */
export function RecipientHoldings({ holdings, onErased }: { holdings: Holdings; onErased: () => void }) {
  const trpc = useTRPC();
  const { can, tenant } = usePortal();
  const [erasing, setErasing] = useState(false);
  const held = holdings.counts.filter(({ count }) => count > 0);
  const prepare = useMutation(
    trpc.privacy.prepareExport.mutationOptions({
      onSuccess: ({ ticket }) => {
        window.location.assign(`/${tenant.slug}/recipient-export?ticket=${encodeURIComponent(ticket)}`);
        toast.success("The download begins; its link is good for ten minutes");
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  return (
    <div className="border-t border-line px-4 py-4" data-testid="holdings">
      <h3 className="text-sm font-medium break-words">
        {held.length === 0 ? `Nothing is held under ${holdings.address}` : `Held about ${holdings.address}`}
      </h3>
      {held.length > 0 ? (
        <ul className="mt-2 grid max-w-md gap-1 text-sm">
          {held.map(({ kind, count, more }) => (
            <li key={kind} className="flex justify-between gap-4">
              <span className="text-ink-muted">{names[kind]}</span>
              <span className="tabular">
                {more ? "more than " : ""}
                {formatNumber(count)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="mt-2 text-sm text-ink-muted">
        Texts about somebody else may name the address as well; they are searched when it is erased.
        {holdings.member
          ? " A member of your organisation signs in with this address: the account stays until the member is removed."
          : ""}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {can("content:reveal") && held.length > 0 ? (
          <Button onClick={() => prepare.mutate({ address: holdings.address })} pending={prepare.isPending}>
            <Download aria-hidden /> Download everything
          </Button>
        ) : null}
        <Button variant="danger" onClick={() => setErasing(true)}>
          <Trash2 aria-hidden /> Erase…
        </Button>
      </div>
      {erasing ? (
        <EraseDialog address={holdings.address} onClose={() => setErasing(false)} onErased={onErased} />
      ) : null}
    </div>
  );
}

function EraseDialog({
  address,
  onClose,
  onErased,
}: {
  address: string;
  onClose: () => void;
  onErased: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("privacy");
  const [reference, setReference] = useState("");
  const erase = useMutation(
    trpc.privacy.erase.mutationOptions({
      onSuccess: async () => {
        toast.success("The erasure is under way");
        onClose();
        onErased();
        await refresh();
      },
    }),
  );
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Erase ${address}?`}
      confirmLabel="Erase for good"
      typeToConfirm={address}
      pending={erase.isPending}
      onConfirm={() => erase.mutate({ addresses: [address], reference: reference.trim() || undefined })}
    >
      <span className="grid gap-3">
        <span>
          Every copy of the address goes, with contents and conversations. Messages that are not sent yet are
          canceled. Counts and costs stay. A no stays a no: opt-outs and suppressions go on working without
          the address. It cannot be taken back.
        </span>
        {erase.error ? <FormError title="It was not erased">{errorText(erase.error)}</FormError> : null}
        <Field label="Your reference" optional hint="Stays in the report, so without the address">
          {(control) => (
            <Input
              {...control}
              value={reference}
              onChange={(event) => setReference(event.target.value)}
              maxLength={120}
              autoComplete="off"
              placeholder="e.g. DSR-17"
            />
          )}
        </Field>
      </span>
    </ConfirmDialog>
  );
}
