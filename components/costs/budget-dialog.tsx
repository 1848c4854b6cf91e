"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { budgetInputSchema } from "../../server/budgets/schemas.ts";
import type { BudgetView } from "../../server/budgets/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { changedFields } from "../ui/changed-fields.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

const names = new Intl.DisplayNames("en", { type: "currency" });
const currencyOptions = Intl.supportedValuesOf("currency").map((code) => ({
  value: code,
  label: `Only costs in ${code} (${names.of(code) ?? code})`,
}));

/** Makes or changes a budget. */
export function BudgetDialog({
  budget,
  onClose,
  onSaved,
}: {
  budget: BudgetView | null;
  onClose: () => void;
  onSaved: () => Promise<unknown>;
}) {
  const { applications, environments, canIn } = usePortal();
  const trpc = useTRPC();
  const everywhere = canIn("settings:manage", null);
  const own = useQuery(trpc.costs.currency.queryOptions(undefined, { enabled: everywhere })).data?.currency;
  const create = useMutation(trpc.budgets.create.mutationOptions());
  const change = useMutation(trpc.budgets.change.mutationOptions());
  // As it was when the dialog opened: only what differs is sent, so that what others change at the same time stays.
  const opened = { ...budget, currency: budget?.converted ? null : budget?.currency };
  const mine = applications.filter(({ unitId }) => everywhere || canIn("settings:manage", unitId));
  const form = useOperationForm({
    schema: budgetInputSchema,
    decimals: ["amount"],
    defaultValues: {
      name: budget?.name ?? "",
      applicationId: budget?.applicationId ?? (everywhere ? "" : (mine[0]?.id ?? "")),
      environmentId: budget?.environmentId ?? "",
      amount: budget?.amount ?? "",
      currency: budget ? (budget.converted ? "" : budget.currency) : "EUR",
      thresholds: (budget?.thresholds ?? [50, 80, 100]).join(", "),
    },
    input: (typed) => ({
      name: typed.name,
      applicationId: typed.applicationId || null,
      environmentId: typed.environmentId || null,
      amount: typed.amount,
      currency: typed.currency || null,
      thresholds: typed.thresholds
        .split(/[\s,;%]+/)
        .filter(Boolean)
        .map(Number),
    }),
    send: async (input) => {
      if (budget) await change.mutateAsync({ id: budget.id, ...changedFields(opened, input) });
      else await create.mutateAsync(input);
      await onSaved();
      toast.success("Budget saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={budget ? "Edit budget" : "Add budget"}
      description="Everyone with access to these costs is alerted when a threshold is reached. Messages are still sent."
      submitLabel="Save"
      onClose={onClose}
    >
      <TextField {...form.field("name")} label="Name" autoComplete="off" required autoFocus />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field("applicationId")}
          label="Application"
          options={[
            ...(everywhere ? [{ value: "", label: "All applications" }] : []),
            ...mine.map(({ id, title }) => ({ value: id, label: title })),
          ]}
        />
        <SelectField
          {...form.field("environmentId")}
          label="Environment"
          options={[
            { value: "", label: "All production environments" },
            ...environments
              .filter(({ kind }) => kind !== "sandbox")
              .map(({ id, name }) => ({ value: id, label: `Only ${name}` })),
          ]}
        />
        <TextField
          {...form.field("amount")}
          label="Amount per month"
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <SelectField
          {...form.field("currency")}
          label="Costs to include"
          options={[
            ...(own || budget?.converted
              ? [{ value: "", label: `All costs, in ${own ?? budget?.currency ?? ""} by your rates` }]
              : []),
            ...currencyOptions,
          ]}
        />
      </div>
      <TextField
        {...form.field("thresholds")}
        label="Alert at"
        hint="Up to five percentages of the amount, such as 50, 80, 100"
        inputMode="numeric"
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
