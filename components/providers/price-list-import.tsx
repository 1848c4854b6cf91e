"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import type { PriceListEntry, ProviderDetail } from "../../server/connections/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Textarea } from "../ui/textarea.tsx";

const keyOf = (entry: PriceListEntry) => [entry.channel, entry.category, entry.country].join(" ");
const textOf = (entry: PriceListEntry) => `${entry.amount} ${entry.currency}`;

/** Replaces a price list by one from CSV: first what it would change, then the saving. */
export function PriceListImport({
  connection,
  onClose,
}: {
  connection: ProviderDetail;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const fileId = useId();
  const [csv, setCsv] = useState("");
  const read = useMutation(trpc.providers.readPriceList.mutationOptions());
  const save = useMutation(
    trpc.providers.update.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.providers.pathKey() });
        toast.success("Price list saved");
        onClose();
      },
    }),
  );
  const change = (text: string) => {
    setCsv(text);
    read.reset();
    save.reset();
  };
  const entries = read.data?.errors.length === 0 ? read.data.entries : null;
  const error = read.error ?? save.error;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import a price list"
      description="CSV with a first line that names its columns: channel, country, amount, currency and, for WhatsApp, category. It replaces the whole list."
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {entries ? (
            <Button
              variant="primary"
              pending={save.isPending}
              onClick={() =>
                save.mutate({
                  id: connection.id,
                  changes: { priceList: entries, updatedAt: connection.updatedAt },
                })
              }
            >
              Save {plural(entries.length, "price")}
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={csv.trim() === ""}
              pending={read.isPending}
              onClick={() => read.mutate({ csv })}
            >
              Show what changes
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        {error ? <FormError title={errorText(error)} /> : null}
        <div className="text-sm">
          <label htmlFor={fileId} className="mb-1.5 block font-medium">
            File
          </label>
          <input
            id={fileId}
            type="file"
            accept=".csv,.txt,text/csv"
            className="w-full text-ink-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-solid file:border-line-strong file:bg-surface file:px-3 file:font-medium file:text-ink"
            onChange={(event) => void event.target.files?.[0]?.text().then(change)}
          />
        </div>
        <Field label="Or paste it">
          {(control) => (
            <Textarea
              {...control}
              rows={8}
              className="font-mono text-xs"
              spellCheck={false}
              value={csv}
              onChange={(event) => change(event.target.value)}
              placeholder={"channel,country,amount,currency\nsms,DE,0.0750,EUR\nsms,,0.1000,EUR"}
            />
          )}
        </Field>
        {read.data && read.data.errors.length > 0 ? (
          <FormError title="The list cannot be used as it is">
            <ul>
              {read.data.errors.map((each) => (
                <li key={`${String(each.line)} ${each.detail}`}>
                  Line {each.line}: {each.detail}
                </li>
              ))}
            </ul>
          </FormError>
        ) : null}
        {entries ? <Changes before={connection.priceList} after={entries} /> : null}
      </div>
    </Dialog>
  );
}

function Changes({ before, after }: { before: readonly PriceListEntry[]; after: readonly PriceListEntry[] }) {
  const old = new Map(before.map((entry) => [keyOf(entry), textOf(entry)]));
  const now = new Map(after.map((entry) => [keyOf(entry), textOf(entry)]));
  const lines = [
    ...[...now].flatMap(([key, price]) => {
      const was = old.get(key);
      return was === price
        ? []
        : [{ key, text: was === undefined ? `new: ${price}` : `${was} becomes ${price}` }];
    }),
    ...[...old].flatMap(([key, price]) => (now.has(key) ? [] : [{ key, text: `${price} goes` }])),
  ];
  return (
    <div role="status" className="text-sm">
      <p className="font-medium">
        {lines.length === 0
          ? "It is the list that there is."
          : `${plural(lines.length, "price")} will change:`}
      </p>
      <ul className="mt-1 max-h-48 overflow-y-auto text-ink-muted tabular-nums">
        {lines.map((line) => (
          <li key={line.key}>
            {line.key.trim()}: {line.text}
          </li>
        ))}
      </ul>
    </div>
  );
}
