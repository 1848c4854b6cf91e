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
  requests: "Requests",
  events: "Message events",
  attempts: "Attempts",
  shortLinks: "Short links",
  webhookDeliveries: "Webhook deliveries",
  conversations: "Conversations",
  inboundMessages: "Messages from the recipient",
  consentEntries: "Consent",
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
        toast.success("Download started. The link works for ten minutes");
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  return (
    <div className="border-t border-line px-4 py-4" data-testid="holdings">
      <h3 className="text-sm font-medium break-words">
        {held.length === 0 ? `No data about ${holdings.address}` : `Data about ${holdings.address}`}
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
        The address may also occur in messages to others. Those are searched when it is erased.
        {holdings.member
          ? " A member of your organisation uses this address. The account is kept until the member is removed."
          : ""}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {can("content:reveal") && held.length > 0 ? (
          <Button onClick={() => prepare.mutate({ address: holdings.address })} pending={prepare.isPending}>
            <Download aria-hidden /> Download data
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
        toast.success("Erasure started");
        onClose();
        onErased();
        await refresh();
      },
    }),
  );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Erase ${address}?`}
      confirmLabel="Erase permanently"
      typeToConfirm={address}
      pending={erase.isPending}
      onConfirm={() => erase.mutate({ addresses: [address], reference: reference.trim() || undefined })}
    >
      <span className="grid gap-3">
        <span>
          Every copy of the address is erased, with message content and conversations. Unsent messages are
          canceled. Counts and costs are kept. Opt-outs and suppressions remain effective. This can't be
          undone.
        </span>
        {erase.error ? (
          <FormError title="The recipient was not erased">{errorText(erase.error)}</FormError>
        ) : null}
        <Field label="Your reference" optional hint="Kept in the report. Don't include the address">
          {(control) => (
            <Input
              {...control}
              value={reference}
              onChange={(event) => setReference(event.target.value)}
              maxLength={120}
              autoComplete="off"
              placeholder="For example DSR-17"
            />
          )}
        </Field>
      </span>
    </ConfirmDialog>
  );
}
