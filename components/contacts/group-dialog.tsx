"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { contactFilterSchema, groupCreateSchema, type ContactGroup } from "../../server/contacts/schemas.ts";
import { contactLimits, filterWords } from "../../server/contacts/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { changedFields } from "../ui/changed-fields.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { FilterEditor } from "./filter-editor.tsx";
import { draftOf, filterOf, newCondition, type FilterDraft } from "./filter-draft.ts";

/** Adds a group, or changes one. */
export function GroupDialog({
  group,
  onClose,
  onSaved,
}: {
  /** Left out: a new one. */
  group?: ContactGroup;
  onClose: () => void;
  onSaved?: (id: string) => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("contactGroups", "contacts");
  const create = useMutation(trpc.contactGroups.create.mutationOptions());
  const update = useMutation(trpc.contactGroups.update.mutationOptions());
  const [kind, setKind] = useState<ContactGroup["kind"]>(group?.kind ?? "static");
  const [draft, setDraft] = useState<FilterDraft>(
    group?.filter ? draftOf(group.filter) : { all: [newCondition()], any: [] },
  );
  const made = filterOf(draft);
  // As it was when the dialog opened: only what differs is sent, so that what others change at the same time stays.
  const [opened] = useState({
    name: group?.name ?? "",
    description: group?.description ?? "",
    filter: made,
  });
  const [expectedFilter] = useState(group?.filter);
  const parsed = contactFilterSchema.safeParse(made);
  const form = useOperationForm({
    schema: groupCreateSchema,
    defaultValues: { name: opened.name, description: opened.description },
    input: (values) => ({ ...values, filter: kind === "filter" ? made : null }),
    send: async ({ name, description = "", filter }) => {
      const change = (of: string) => {
        const changes = changedFields(opened, { name, description, ...(filter && { filter }) });
        const based = changes.filter && expectedFilter ? { ...changes, expectedFilter } : changes;
        return update.mutateAsync({ id: of, changes: based }).catch(async (error: unknown) => {
          // Opened again, the dialog begins with what somebody else has saved.
          if (errorCode(error) === "revision_conflict") await refresh();
          throw error;
        });
      };
      const { id } = group ? await change(group.id) : await create.mutateAsync({ name, description, filter });
      toast.success(group ? "Group saved" : "Group added");
      onClose();
      onSaved?.(id);
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      title={group ? "Edit group" : "Add group"}
      submitLabel={group ? "Save" : "Add"}
      disabled={kind === "filter" && !parsed.success}
      className="max-w-2xl"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        hint="Used in API requests"
        maxLength={contactLimits.groupName}
        autoComplete="off"
      />
      <TextField
        {...form.field("description")}
        label="Description"
        optional
        maxLength={contactLimits.groupDescription}
        autoComplete="off"
      />
      {group ? null : (
        <Field label="Members">
          {() => (
            <Segmented
              label="Members"
              value={kind}
              onValueChange={setKind}
              options={[
                { value: "static", label: "Contacts I add" },
                { value: "filter", label: "Contacts that match a filter" },
              ]}
            />
          )}
        </Field>
      )}
      {kind === "filter" ? (
        <>
          <FilterEditor draft={draft} onChange={setDraft} />
          <p
            aria-live="polite"
            className="rounded-md bg-canvas px-3 py-2.5 text-sm text-ink-muted"
            data-testid="filter-words"
          >
            {parsed.success ? `Everyone whose: ${filterWords(parsed.data)}.` : "Complete the conditions."}
          </p>
        </>
      ) : null}
    </FormDialog>
  );
}
