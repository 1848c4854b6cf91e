"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { createRoleSchema } from "../../server/access/schemas.ts";
import type { ListedRole } from "../members/use-grantable.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { PermissionsField } from "./permissions-field.tsx";

/** Makes a role, from nothing or from another one, or changes the one that is named. */
export function RoleDialog({
  from = null,
  role = null,
  onClose,
  onSaved,
}: {
  /** Its permissions are ticked to begin with. */
  from?: ListedRole | null;
  /** The one that is changed. */
  role?: ListedRole | null;
  onClose: () => void;
  onSaved: (key: string) => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("roles", "members");
  const create = useMutation(trpc.roles.create.mutationOptions());
  const update = useMutation(trpc.roles.update.mutationOptions());
  const source = role ?? from;
  // Of what the form began with: the list behind it goes on.
  const [revision] = useState(role?.revision);
  const form = useOperationForm({
    schema: createRoleSchema,
    defaultValues: {
      name: role?.name ?? (from ? `${from.name}, our own` : ""),
      description: source && !source.builtIn ? source.description : "",
      permissions: source?.permissions ?? [],
    },
    input: ({ name, description, permissions }) => ({ name: name.trim(), description, permissions }),
    send: async (input) => {
      const change = (key: string) =>
        update.mutateAsync({ key, revision, ...input }).catch(async (error: unknown) => {
          // Opened again, the form begins with what somebody else has saved.
          if (errorCode(error) === "revision_conflict") await refresh();
          throw error;
        });
      if (role) await change(role.key);
      const key = role ? role.key : (await create.mutateAsync(input)).key;
      toast.success(role ? `“${input.name}” saved` : `“${input.name}” created`);
      await refresh();
      onSaved(key);
    },
  });
  return (
    <FormDialog
      form={form}
      title={role ? `Change “${role.name}”` : from ? `Copy of “${from.name}”` : "New role"}
      description={
        role
          ? "Takes effect immediately for everyone with this role, people and keys."
          : "Select permissions. You choose the scope when you assign the role."
      }
      submitLabel={role ? "Save role" : "Create role"}
      className="max-w-2xl"
      onClose={onClose}
    >
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoFocus autoComplete="off" />
      <TextareaField {...form.field("description")} label="Description" optional rows={2} maxLength={500} />
      <FormField {...form.field("permissions")} label="Permissions">
        {(_ids, field) => <PermissionsField value={field.value} onChange={field.onChange} />}
      </FormField>
    </FormDialog>
  );
}
