"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { addRuleSchema, type ListedProvider } from "../../server/sso/schemas.ts";
import { unitOf, useGrantable } from "../members/use-grantable.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { named } from "../ui/isolated.ts";

/** Lets a provider assign a role. */
export function RuleDialog({ provider, onClose }: { provider: ListedProvider; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefresh("sso", "roles");
  const { places, roleOptions, roles } = useGrantable();
  const add = useMutation(trpc.sso.addRule.mutationOptions());
  const form = useOperationForm({
    schema: addRuleSchema,
    defaultValues: { who: "value", value: "", role: "", unitId: places[0]?.value ?? "" },
    input: ({ who, value, role, unitId }) => ({
      providerId: provider.id,
      value: who === "everybody" ? null : value.trim(),
      role,
      unitId: unitOf(unitId),
    }),
    send: async (input) => {
      await add.mutateAsync(input);
      toast.success("Rule added");
      onClose();
      await refresh();
    },
  });
  const [who, place, key] = useWatch({ control: form.control, name: ["who", "unitId", "role"] });
  return (
    <FormDialog
      form={form}
      title={`Let ${named(provider.name)} assign a role`}
      description="People get the role at their next sign-in, and lose it when they sign in without matching."
      submitLabel="Add rule"
      onClose={onClose}
    >
      <SelectField
        {...form.field("who")}
        label="Who gets it"
        options={[
          { value: "value", label: `People with a value of the claim “${provider.roleClaim}”` },
          { value: "everybody", label: "Everyone who signs in through it" },
        ]}
      />
      {who === "value" ? (
        <TextField
          {...form.field("value")}
          label={`Value of “${provider.roleClaim}”`}
          hint={provider.kind === "entra" ? "The object ID of a group." : "Exactly as the provider sends it."}
          maxLength={256}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : null}
      <SelectField {...form.field("unitId")} label="Scope" options={places} />
      <SelectField
        {...form.field("role")}
        label="Role"
        placeholder="Choose a role…"
        hint={roles?.find((role) => role.key === key)?.description || undefined}
        options={roleOptions(place)}
      />
    </FormDialog>
  );
}
