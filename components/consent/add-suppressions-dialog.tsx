"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import type { z } from "zod";
import { suppressByHandSchema, type SuppressionResult } from "../../server/consent/schemas.ts";
import { suppressionLimits } from "../../server/consent/vocabulary.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";

type Input = z.input<typeof suppressByHandSchema>;

const ends = [
  { value: "never", label: "No end" },
  { value: "30", label: "30 days from now" },
  { value: "90", label: "90 days from now" },
  { value: "365", label: "A year from now" },
  { value: "date", label: "A specific day" },
];

/** One a line, or with commas or semicolons between them, as they are pasted. */
const addressesIn = (text: string) =>
  text
    .split(/[\n,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== "");

function endOf(kind: string, day: string): string | null {
  if (kind === "never") return null;
  if (kind !== "date") return new Date(Date.now() + Number(kind) * 86_400_000).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? "" : end.toISOString();
}

/** Addresses that nothing is to be sent to: one, or a thousand that were pasted. */
export function AddSuppressionsDialog({ onClose }: { onClose: () => void }) {
  const { environment } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("suppressions", "consent");
  const add = useMutation(trpc.suppressions.addByHand.mutationOptions());
  const [done, setDone] = useState<{ addresses: string[]; results: SuppressionResult[] } | null>(null);
  const form = useOperationForm({
    schema: suppressByHandSchema,
    defaultValues: { addresses: "", channel: "email", expiresAt: "never", day: "", note: "" },
    input: (values) => ({
      environmentId: environment.id,
      addresses: addressesIn(values.addresses),
      channel: values.channel as Input["channel"],
      expiresAt: endOf(values.expiresAt, values.day),
      note: values.note,
    }),
    send: async (input) => {
      const { results } = await add.mutateAsync(input);
      setDone({ addresses: input.addresses, results });
      await refresh();
    },
    shownAt: { expiresAt: "day" },
  });
  const { addresses = "", expiresAt, day = "", note = "" } = useWatch({ control: form.control });
  const count = addressesIn(addresses).length;
  return (
    <FormDialog
      form={form}
      title="Add addresses"
      description={
        environment.kind === "sandbox"
          ? "They no longer receive messages in the sandbox."
          : "They no longer receive any messages, including one-time codes, in all environments except the sandbox."
      }
      submitLabel={count > 1 ? `Suppress ${formatNumber(count)} addresses` : "Suppress"}
      disabled={count === 0 || note.trim() === "" || (expiresAt === "date" && day === "")}
      formClassName="grid gap-4 sm:grid-cols-2"
      result={
        done && {
          body: <Results {...done} />,
          footer: (
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          ),
        }
      }
      onClose={onClose}
    >
      <TextareaField
        {...form.field("addresses")}
        label="Addresses"
        className="sm:col-span-2"
        hint={
          count > suppressionLimits.items
            ? `${formatNumber(count)} are too many. Enter at most ${formatNumber(suppressionLimits.items)}.`
            : `One per line, or separated by commas. At most ${formatNumber(suppressionLimits.items)}.`
        }
        placeholder={"ada@example.com\nbob@example.com"}
        rows={5}
        spellCheck={false}
        required
      />
      <SelectField
        {...form.field("channel")}
        label="Channel"
        options={channels.map((value) => ({ value, label: channelLabel(value) }))}
      />
      <SelectField {...form.field("expiresAt")} label="Until" options={ends} />
      {expiresAt === "date" ? (
        <TextField {...form.field("day")} label="Last day" type="date" className="sm:col-start-2" required />
      ) : null}
      <TextareaField
        {...form.field("note")}
        label="Note"
        className="sm:col-span-2"
        hint="Why. Shown in the list."
        maxLength={suppressionLimits.note}
        rows={2}
        required
      />
    </FormDialog>
  );
}

function Results({ addresses, results }: { addresses: string[]; results: SuppressionResult[] }) {
  const of = (...statuses: SuppressionResult["status"][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const rejected = results.flatMap(({ reason }, index) =>
    reason ? [{ address: addresses[index] ?? "", detail: reason.detail }] : [],
  );
  const already = of("already_suppressed");
  return (
    <div className="grid gap-3 text-sm" role="status">
      <p>
        {plural(of("added", "extended"), "address is", "addresses are")} suppressed.
        {already > 0 ? ` ${formatNumber(already)} ${already === 1 ? "was" : "were"} already suppressed.` : ""}
      </p>
      {rejected.length > 0 ? (
        <div>
          <p className="text-danger-text">
            {plural(rejected.length, "address was", "addresses were")} not added:
          </p>
          <ul className="mt-1.5 max-h-60 divide-y divide-line overflow-y-auto rounded-md border border-line">
            {rejected.map(({ address, detail }, index) => (
              <li key={index} className="px-3 py-1.5">
                <span className="font-medium break-all">{address}</span>
                <span className="block text-ink-muted">{detail}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}
