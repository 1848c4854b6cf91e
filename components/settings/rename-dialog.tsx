"use client";

import type { ReactNode } from "react";
import { updateOrganisationSchema } from "../../server/tenancy/schemas.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { NameField } from "./part-fields.tsx";
import { useSaved } from "./use-set-up-changed.ts";

/** Another name for the organisation or a part of it: what a name is, is the same for all. */
export function RenameDialog({
  name,
  title,
  rename,
  onClose,
}: {
  name: string;
  title: ReactNode;
  rename: (name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const saved = useSaved(onClose);
  const form = useOperationForm({
    schema: updateOrganisationSchema,
    defaultValues: { name },
    input: (values) => ({ name: values.name.trim() }),
    send: async (input) => {
      await rename(input.name);
      await saved("Name saved");
    },
  });
  return (
    <FormDialog form={form} title={title} submitLabel="Save" onClose={onClose}>
      <NameField {...form.field("name")} />
    </FormDialog>
  );
}
