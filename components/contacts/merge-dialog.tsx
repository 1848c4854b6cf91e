"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Contact, Merge } from "../../server/contacts/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormError } from "../ui/field.tsx";

const fields = [
  ["externalId", "External ID"],
  ["name", "Name"],
  ["region", "Region"],
  ["language", "Language"],
  ["timeZone", "Time zone"],
] as const satisfies readonly (readonly [Merge["take"][number], string])[];

/** Two contacts side by side: what stays of each. */
export function MergeDialog({
  pair: [keep, other],
  onClose,
}: {
  pair: readonly [Contact, Contact];
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("contacts", "contactGroups");
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const merge = useMutation(
    trpc.contacts.merge.mutationOptions({
      onSuccess: async () => {
        toast.success("Merged into one contact");
        onClose();
        await refresh();
      },
    }),
  );
  const names = [
    ...new Set([...Object.keys(keep.attributes ?? {}), ...Object.keys(other.attributes ?? {})]),
  ].sort();
  const rows = [
    ...fields.map(([id, label]) => ({ id: id, label: label, a: keep[id], b: other[id] })),
    ...names.map((name) => ({
      id: `attributes.${name}`,
      label: name,
      a: keep.attributes?.[name] ?? null,
      b: other.attributes?.[name] ?? null,
    })),
  ].filter(({ a, b }) => a !== null || b !== null);
  const choose = (id: string, on: boolean) => {
    const next = new Set(taken);
    if (on) next.add(id);
    else next.delete(id);
    setTaken(next);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Merge two contacts"
      description="Choose what to keep where they differ. Addresses and groups of both are kept. The second contact is deleted."
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            pending={merge.isPending}
            onClick={() =>
              merge.mutate({
                keepId: keep.id,
                otherId: other.id,
                take: fields.flatMap(([id]) => (taken.has(id) ? [id] : [])),
                takeAttributes: names.filter((name) => taken.has(`attributes.${name}`)),
              })
            }
          >
            Merge
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {merge.error ? <FormError title={errorText(merge.error)} /> : null}
        <table className="w-full table-fixed text-sm">
          <caption className="sr-only">Values to keep</caption>
          <thead>
            <tr className="border-b border-line text-left text-xs text-ink-muted">
              <th scope="col" className="h-8 w-1/4 font-medium" />
              <th scope="col" className="font-medium">
                First
              </th>
              <th scope="col" className="font-medium">
                Second
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ id, label, a, b }) => (
              <tr key={id} className="align-top">
                <th scope="row" className="py-2 pr-3 text-left font-normal break-words text-ink-muted">
                  {label}
                </th>
                {[a, b].map((value, index) => (
                  <td key={index} className="py-2 pr-3">
                    {a !== null && b !== null && a !== b ? (
                      <label className="flex items-start gap-2 break-all">
                        <input
                          type="radio"
                          name={id}
                          className="mt-1 accent-accent"
                          checked={taken.has(id) === (index === 1)}
                          onChange={() => choose(id, index === 1)}
                        />
                        {value}
                      </label>
                    ) : (
                      <span className="break-all">{value}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
            <tr className="align-top">
              <th scope="row" className="py-2 pr-3 text-left font-normal text-ink-muted">
                Addresses
              </th>
              {[keep, other].map((contact) => (
                <td key={contact.id} className="py-2 pr-3">
                  {contact.addresses.map(({ channel, address }) => (
                    <span key={`${channel} ${address}`} className="block break-all">
                      {address}
                    </span>
                  ))}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
