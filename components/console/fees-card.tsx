"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { setFeesSchema } from "../../server/console/schemas.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { formatMoney } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { useConsole } from "./client.tsx";

type Organisation = inferRouterOutputs<ConsoleRouter>["organisations"]["get"];
const channels = [
  { key: "sms", label: "SMS" },
  { key: "email", label: "E-mail" },
  { key: "whatsapp", label: "WhatsApp" },
] as const;

/** What is charged a message, by channel. */
export function FeesCard({ organisation }: { organisation: Organisation }) {
  const [editing, setEditing] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Fees"
        description="Charged per message, on top of the provider's price."
        actions={
          <Button size="sm" onClick={() => setEditing(true)}>
            Change…
          </Button>
        }
      />
      <Facts
        className="px-4 pb-4"
        items={channels.map(({ key, label }) => {
          const fee = organisation.fees[key];
          return {
            label,
            value: fee ? formatMoney(fee.amount, fee.currency) : <span className="text-ink-faint">none</span>,
          };
        })}
      />
      {editing ? <FeesDialog organisation={organisation} onClose={() => setEditing(false)} /> : null}
    </Card>
  );
}

function FeesDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const save = useMutation(api.organisations.setFees.mutationOptions());
  const { sms, email, whatsapp } = organisation.fees;
  const form = useOperationForm({
    schema: setFeesSchema,
    decimals: ["sms", "email", "whatsapp"],
    defaultValues: {
      sms: sms?.amount ?? "",
      email: email?.amount ?? "",
      whatsapp: whatsapp?.amount ?? "",
      currency: (sms ?? email ?? whatsapp)?.currency ?? "EUR",
    },
    input: (values) => {
      const feeOf = (amount: string) => (amount === "" ? null : { amount, currency: values.currency.trim() });
      return {
        id: organisation.id,
        fees: { sms: feeOf(values.sms), email: feeOf(values.email), whatsapp: feeOf(values.whatsapp) },
      };
    },
    send: async (input) => {
      await save.mutateAsync(input);
      toast.success("Fees saved");
      onClose();
      await queryClient.invalidateQueries({ queryKey: api.organisations.pathKey() });
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Fees of ${organisation.name}`}
      description="For each message sent from now on. Leave a channel empty to charge no fee."
      submitLabel="Save"
      formClassName="grid grid-cols-2 gap-4"
      onClose={onClose}
    >
      {channels.map(({ key, label }, index) => (
        <TextField
          key={key}
          {...form.field(key)}
          label={label}
          inputMode="decimal"
          placeholder="0.001"
          autoComplete="off"
          autoFocus={index === 0}
        />
      ))}
      <TextField
        {...form.field("currency")}
        label="Currency"
        maxLength={3}
        autoComplete="off"
        clean={(typed) => typed.toUpperCase()}
      />
    </FormDialog>
  );
}
