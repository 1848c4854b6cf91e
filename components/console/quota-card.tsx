"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { setQuotaSchema } from "../../server/console/schemas.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { changedFields } from "../ui/changed-fields.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { formatNumber } from "../ui/format.ts";
import { readWhole } from "../ui/typed-number.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { useConsole } from "./client.tsx";

type Organisation = inferRouterOutputs<ConsoleRouter>["organisations"]["get"];

const limits = [
  { key: "messagesPerDay", label: "Messages per day" },
  { key: "messagesPerMonth", label: "Messages per month" },
  { key: "requestsPerMinute", label: "Requests per minute" },
] as const;

/** How much it may send at most, and has sent. */
export function QuotaCard({ organisation }: { organisation: Organisation }) {
  const [editing, setEditing] = useState(false);
  const { quota, use } = organisation;
  const used = {
    messagesPerDay: `${formatNumber(use.day.used)} today`,
    messagesPerMonth: `${formatNumber(use.month.used)} this month`,
    requestsPerMinute: null,
  };
  return (
    <Card className="lg:col-span-2">
      <CardHeader
        title="Quotas"
        description="Limits for this organisation. Days and months are UTC. The sandbox doesn't count."
        actions={
          <Button size="sm" aria-label="Change quotas" onClick={() => setEditing(true)}>
            Change…
          </Button>
        }
      />
      <Facts
        className="px-4 pb-4"
        items={limits.map(({ key, label }) => ({
          label,
          value: (
            <>
              {quota[key] === null ? (
                <span className="text-ink-faint">no limit</span>
              ) : (
                formatNumber(quota[key])
              )}
              {used[key] ? <span className="text-ink-muted">, {used[key]}</span> : null}
            </>
          ),
        }))}
      />
      {editing ? <QuotaDialog organisation={organisation} onClose={() => setEditing(false)} /> : null}
    </Card>
  );
}

function QuotaDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const save = useMutation(api.organisations.setQuota.mutationOptions());
  const [start] = useState(organisation.quota);
  const form = useOperationForm({
    schema: setQuotaSchema,
    defaultValues: {
      messagesPerDay: start.messagesPerDay?.toString() ?? "",
      messagesPerMonth: start.messagesPerMonth?.toString() ?? "",
      requestsPerMinute: start.requestsPerMinute?.toString() ?? "",
    },
    input: (values) => {
      const limitOf = (typed: string) => (typed.trim() === "" ? null : readWhole(typed));
      return {
        id: organisation.id,
        messagesPerDay: limitOf(values.messagesPerDay),
        messagesPerMonth: limitOf(values.messagesPerMonth),
        requestsPerMinute: limitOf(values.requestsPerMinute),
      };
    },
    send: async ({ id, ...limitsNow }) => {
      await save.mutateAsync({ id, ...changedFields(start, { ...start, ...limitsNow }) });
      toast.success("Quotas saved");
      onClose();
      await queryClient.invalidateQueries({ queryKey: api.organisations.pathKey() });
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Quotas of ${organisation.name}`}
      description="They take effect within three seconds and include messages already sent. Leave empty for no limit."
      submitLabel="Save"
      formClassName="grid gap-4"
      onClose={onClose}
    >
      {limits.map(({ key, label }, index) => (
        <TextField
          key={key}
          {...form.field(key)}
          label={label}
          hint={key === "requestsPerMinute" ? "All its API keys together." : undefined}
          inputMode="numeric"
          autoComplete="off"
          autoFocus={index === 0}
        />
      ))}
    </FormDialog>
  );
}
