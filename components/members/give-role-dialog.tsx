"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { assignRoleSchema } from "../../server/access/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { named } from "../ui/isolated.ts";
import { unitOf, useGrantable } from "./use-grantable.ts";

/** Gives a member one more role. */
export function GiveRoleDialog({
  member,
  onClose,
}: {
  member: { id: string; name: string };
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("members", "roles");
  const { places, roleOptions, roles } = useGrantable();
  const assign = useMutation(trpc.members.assignRole.mutationOptions());
  const form = useOperationForm({
    schema: assignRoleSchema,
    defaultValues: { role: "", unitId: places[0]?.value ?? "" },
    input: ({ role, unitId }) => ({ userId: member.id, role, unitId: unitOf(unitId) }),
    send: async (input) => {
      await assign.mutateAsync(input);
      toast.success(`${named(member.name)} has one more role`);
      onClose();
      await refresh();
    },
  });
  const [place, key] = useWatch({ control: form.control, name: ["unitId", "role"] });
  return (
    <FormDialog
      form={form}
      title={`Give ${named(member.name)} a role`}
      description="Takes effect immediately, even where they are signed in."
      submitLabel="Assign role"
      onClose={onClose}
    >
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
