"use client";

import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import {
  priceListTextSchema,
  type PriceListEntry,
  type ProviderDetail,
} from "../../server/connections/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormError } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { kindText, priceText, rowKey } from "./price-words.ts";

/** Replaces a price list by one from CSV: first what it would change, then the saving. */
export function PriceListImport({
  connection,
  onClose,
}: {
  connection: ProviderDetail;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("providers");
  const fileId = useId();
  const read = useMutation(trpc.providers.readPriceList.mutationOptions());
  const save = useMutation(trpc.providers.update.mutationOptions());
  const form = useOperationForm({
    schema: priceListTextSchema,
    defaultValues: { csv: "" },
    input: (values) => values,
    send: async (input) => {
      if (!entries) {
        await read.mutateAsync(input);
        return;
      }
      await save.mutateAsync({
        id: connection.id,
        changes: { priceList: entries, updatedAt: connection.updatedAt },
      });
      await refresh();
      toast.success("Price list saved");
      onClose();
    },
  });
  const csv = useWatch({ control: form.control, name: "csv" });
  // What was read before the text changed no longer counts.
  const answer = read.variables?.csv === csv ? read.data : undefined;
  const entries = answer?.errors.length === 0 ? answer.entries : null;
  return (
    <FormDialog
      form={form}
      title="Import a price list"
      description="CSV with a first line that names its columns: channel, amount, currency and, where you need them, country, category, valid_from, valid_to, free_per_month and tiers. It replaces the whole list. Keep prices that end, with their last day in valid_to."
      className="max-w-2xl"
      submitLabel={entries ? `Save ${plural(entries.length, "price")}` : "Show what changes"}
      disabled={csv.trim() === ""}
      onClose={onClose}
    >
      <div className="text-sm">
        <label htmlFor={fileId} className="mb-1.5 block font-medium">
          File
        </label>
        <input
          id={fileId}
          type="file"
          accept=".csv,.txt,text/csv"
          className="w-full text-ink-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-surface file:px-3 file:font-medium file:text-ink"
          // The same file may be chosen again, changed since.
          onClick={(event) => {
            event.currentTarget.value = "";
          }}
          onChange={(event) =>
            void event.target.files?.[0]?.text().then((text) => form.setValue("csv", text))
          }
        />
      </div>
      <TextareaField
        {...form.field("csv")}
        label="Or paste it"
        rows={8}
        inputClassName="font-mono text-xs"
        spellCheck={false}
        placeholder={
          "channel,country,amount,currency,valid_from,valid_to,tiers\nsms,DE,0.0750,EUR,,2026-12-31,\nsms,DE,0.0720,EUR,2027-01-01,,100000=0.0650\nsms,,0.1000,EUR,,,"
        }
      />
      {answer && answer.errors.length > 0 ? (
        <FormError title="Fix the list before you import it">
          <ul>
            {answer.errors.map((each) => (
              <li key={`${String(each.line)} ${each.detail}`}>
                Line {each.line}: {each.detail}
              </li>
            ))}
          </ul>
        </FormError>
      ) : null}
      {entries ? <Changes before={connection.priceList} after={entries} /> : null}
    </FormDialog>
  );
}

function Changes({ before, after }: { before: readonly PriceListEntry[]; after: readonly PriceListEntry[] }) {
  const old = new Map(before.map((entry) => [rowKey(entry), entry]));
  const now = new Set(after.map(rowKey));
  const lines = [
    ...after.flatMap((entry) => {
      const was = old.get(rowKey(entry));
      if (!was) return [{ entry, text: `new: ${priceText(entry)}` }];
      const [from, to] = [priceText(was), priceText(entry)];
      return from === to ? [] : [{ entry, text: `${from} becomes ${to}` }];
    }),
    ...before.flatMap((entry) =>
      now.has(rowKey(entry)) ? [] : [{ entry, text: `${priceText(entry)} is removed` }],
    ),
  ];
  return (
    <div role="status" className="text-sm">
      <p className="font-medium">
        {lines.length === 0
          ? "No changes to the current list."
          : `${plural(lines.length, "price")} will change:`}
      </p>
      <ul className="mt-1 max-h-48 overflow-y-auto text-ink-muted tabular-nums">
        {lines.map(({ entry, text }) => (
          <li key={rowKey(entry)}>
            {kindText(entry)} {entry.country ?? "everywhere else"}: {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
