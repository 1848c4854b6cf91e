"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { createApiKeySchema } from "../../server/access/schemas.ts";
import { keyLimits, roleChoices } from "../../server/access/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, SelectField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { agentOf, networksHint, networksOf, recipientsHint } from "./key-values.ts";

export const lifetimes = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
] as const;

/** When a key of a chosen lifetime ends. */
export const endOf = (lifetime: string): Date | undefined =>
  lifetime === "never" ? undefined : new Date(Date.now() + Number(lifetime) * 86_400_000);

const everything = "tenant";

const kinds = [
  { value: "application", label: "An application" },
  { value: "agent", label: "An AI agent or automation", hint: "with extra limits" },
] as const;

/** Makes a key for the environment that is shown, and hands its text over once. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const { applications, canIn, environment, units } = usePortal();
  const scopes = [
    ...applications
      .filter(({ unitId }) => canIn("api_keys:manage", unitId))
      .map(({ id, title }) => ({ value: `application:${id}`, label: title, hint: "application" })),
    ...units
      .filter(({ id }) => canIn("api_keys:manage", id))
      .map(({ id, name }) => ({ value: `unit:${id}`, label: name, hint: "team" })),
    ...(canIn("api_keys:manage", null) ? [{ value: everything, label: "The whole organisation" }] : []),
  ];
  const trpc = useTRPC();
  const refresh = useRefresh("apiKeys");
  const create = useMutation(trpc.apiKeys.create.mutationOptions());
  const form = useOperationForm({
    schema: createApiKeySchema,
    defaultValues: {
      name: "",
      purpose: "",
      kind: "application",
      scope: scopes[0]?.value ?? everything,
      role: "sender",
      expiresAt: "never",
      allowedNetworks: "",
      agent: { recipients: "", hourlyCap: "60", laterStages: false },
    },
    input: ({ name, purpose, kind, scope, role, expiresAt, allowedNetworks, agent }) => {
      const [where, id] = scope.split(":");
      return {
        name: name.trim(),
        purpose: purpose.trim(),
        environmentId: environment.id,
        role,
        unitId: where === "unit" ? id : undefined,
        applicationId: where === "application" ? id : undefined,
        expiresAt: endOf(expiresAt),
        allowedNetworks: networksOf(allowedNetworks),
        agent: kind === "agent" ? agentOf(agent) : undefined,
      };
    },
    send: async (input) => {
      const created = await create.mutateAsync(input);
      toast.success(`Key “${input.name}” created for ${environment.name}`);
      onClose();
      onCreated(created.key);
      await refresh();
    },
    shownAt: { unitId: "scope", applicationId: "scope" },
  });
  const forAgent = useWatch({ control: form.control, name: "kind" }) === "agent";

  return (
    <FormDialog
      form={form}
      title="Create API key"
      description={`The key works in ${environment.name} only. For another environment, switch it at the top first.`}
      submitLabel="Create key"
      onClose={onClose}
    >
      <SelectField {...form.field("kind")} label="Who uses it" options={kinds} />
      <TextField
        {...form.field("name")}
        label="Name"
        hint="To recognise it later."
        placeholder={forAgent ? "Support assistant" : "Order service"}
        maxLength={120}
        required
        autoFocus
        autoComplete="off"
      />
      <TextField
        {...form.field("purpose")}
        label="Purpose"
        optional
        hint="What it is for, so that others know later."
        maxLength={keyLimits.purpose}
        autoComplete="off"
      />
      <SelectField {...form.field("scope")} label="Scope" options={scopes} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field("role")}
          label="Role"
          hint={forAgent ? "Whatever its role, an agent can't approve or manage anything." : undefined}
          options={roleChoices.map((choice) => ({ value: choice.key, label: choice.name }))}
        />
        <SelectField {...form.field("expiresAt")} label="Expires" options={lifetimes} />
      </div>
      {forAgent ? (
        <>
          <TextareaField
            {...form.field("agent.recipients")}
            label="May write to"
            hint={recipientsHint}
            placeholder={"*@example.com\n+49151*"}
            inputClassName="font-mono text-xs"
            required
          />
          <TextField
            {...form.field("agent.hourlyCap")}
            label="Messages per hour"
            hint="In any 60 minutes. More are refused."
            inputMode="numeric"
            required
          />
          {environment.kind === "sandbox" ? null : (
            <FormField
              {...form.field("agent.laterStages")}
              label="Stages"
              hint={environment.kind === "production" ? "A person has to approve each request." : undefined}
            >
              {(_ids, field) => (
                <CheckboxField
                  label={`May send in ${environment.name} even if it isn't the first stage`}
                  checked={field.value}
                  onChange={field.onChange}
                />
              )}
            </FormField>
          )}
        </>
      ) : null}
      <TextareaField
        {...form.field("allowedNetworks")}
        label="Allowed networks"
        optional
        hint={networksHint}
        placeholder="203.0.113.0/24"
        rows={2}
        inputClassName="font-mono text-xs"
      />
    </FormDialog>
  );
}
