"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Fragment, useState } from "react";
import { toast } from "../ui/toast.ts";
import { setFeesSchema } from "../../server/console/schemas.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { errorCode } from "../trpc/error-text.ts";
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
type Channel = (typeof channels)[number]["key"];

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
  const refresh = () => queryClient.invalidateQueries({ queryKey: api.organisations.pathKey() });
  // Of what the form began with: the page behind it is read again.
  const [{ fees, feesRevision }] = useState(organisation);
  const { sms, email, whatsapp } = fees;
  const usual = (sms ?? email ?? whatsapp)?.currency ?? "EUR";
  const form = useOperationForm({
    schema: setFeesSchema,
    decimals: ["sms", "email", "whatsapp"],
    defaultValues: {
      sms: sms?.amount ?? "",
      smsCurrency: sms?.currency ?? usual,
      email: email?.amount ?? "",
      emailCurrency: email?.currency ?? usual,
      whatsapp: whatsapp?.amount ?? "",
      whatsappCurrency: whatsapp?.currency ?? usual,
    },
    input: (values) => {
      const feeOf = (channel: Channel) => {
        const amount = values[channel];
        return amount === "" ? null : { amount, currency: values[`${channel}Currency`].trim() };
      };
      return {
        id: organisation.id,
        revision: feesRevision,
        fees: { sms: feeOf("sms"), email: feeOf("email"), whatsapp: feeOf("whatsapp") },
      };
    },
    shownAt: (path) => {
      const [, channel, part] = path.split(".");
      const key = channels.find((each) => each.key === channel)?.key;
      return key && (part === "currency" ? `${key}Currency` : key);
    },
    send: async (input) => {
      try {
        await save.mutateAsync(input);
      } catch (error) {
        // Opened again, the form begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict") await refresh();
        throw error;
      }
      toast.success("Fees saved");
      onClose();
      await refresh();
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
        <Fragment key={key}>
          <TextField
            {...form.field(key)}
            label={label}
            inputMode="decimal"
            placeholder="0.001"
            autoComplete="off"
            autoFocus={index === 0}
          />
          <TextField
            {...form.field(`${key}Currency`)}
            label={`Currency for ${label}`}
            maxLength={3}
            autoComplete="off"
            clean={(typed) => typed.toUpperCase()}
          />
        </Fragment>
      ))}
    </FormDialog>
  );
}
