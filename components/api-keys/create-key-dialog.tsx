"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { createApiKeySchema, roleChoices } from "../../server/access/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

const lifetimes = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
] as const;

const everything = "tenant";

/** Makes a key for the environment that is shown, and hands its text over once. */
export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const { applications, environment, units } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("apiKeys");
  const create = useMutation(trpc.apiKeys.create.mutationOptions());
  const form = useOperationForm({
    schema: createApiKeySchema,
    defaultValues: {
      name: "",
      scope: applications[0] ? `application:${applications[0].id}` : everything,
      role: "sender",
      expiresAt: "never",
    },
    input: ({ name, scope, role, expiresAt }) => {
      const [kind, id] = scope.split(":");
      return {
        name: name.trim(),
        environmentId: environment.id,
        role,
        unitId: kind === "unit" ? id : undefined,
        applicationId: kind === "application" ? id : undefined,
        expiresAt: expiresAt === "never" ? undefined : new Date(Date.now() + Number(expiresAt) * 86_400_000),
      };
    },
    send: async (input) => {
      const created = await create.mutateAsync(input);
      await refresh();
      toast.success(`Key “${input.name}” created for ${environment.name}`);
      onClose();
      onCreated(created.key);
    },
    shownAt: { unitId: "scope", applicationId: "scope" },
  });

  return (
    <FormDialog
      form={form}
      title="Create API key"
      description={`It works in ${environment.name} only. Switch the environment for a key to another one.`}
      submitLabel="Create key"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        hint="Where it will be used, to recognise it later."
        placeholder="Order service"
        maxLength={120}
        required
        autoFocus
        autoComplete="off"
      />
      <SelectField
        {...form.field("scope")}
        label="Works for"
        options={[
          ...applications.map((each) => ({
            value: `application:${each.id}`,
            label: each.title,
            hint: "application",
          })),
          ...units.map((each) => ({ value: `unit:${each.id}`, label: each.name, hint: "team" })),
          { value: everything, label: "The whole organisation" },
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field("role")}
          label="Role"
          options={roleChoices.map((choice) => ({ value: choice.key, label: choice.name }))}
        />
        <SelectField {...form.field("expiresAt")} label="Expires" options={lifetimes} />
      </div>
    </FormDialog>
  );
}
