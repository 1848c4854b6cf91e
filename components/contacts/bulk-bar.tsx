"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { setAttributeSchema, type ContactGroup } from "../../server/contacts/schemas.ts";
import { contactLimits } from "../../server/contacts/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { GroupMenu } from "./group-menu.tsx";

/** What can be done with the contacts that are selected. */
export function BulkBar({
  contactIds,
  group,
  onDone,
}: {
  contactIds: string[];
  /** The static group that is shown. */
  group: Pick<ContactGroup, "id" | "name"> | null;
  onDone: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("contacts", "contactGroups");
  const [open, setOpen] = useState<"group" | "attribute" | "delete" | null>(null);
  const people = plural(contactIds.length, "contact");
  const done = async (text: string) => {
    setOpen(null);
    onDone();
    toast.success(text);
    await refresh();
  };
  const failed = (error: unknown) => toast.error(errorText(error));
  const remove = useMutation(
    trpc.contactGroups.removeMembers.mutationOptions({
      onSuccess: ({ changed }) => done(`${plural(changed, "contact")} removed from the group`),
      onError: failed,
    }),
  );
  const deleting = useMutation(
    trpc.contacts.deleteMany.mutationOptions({
      onSuccess: ({ changed }) => done(`${plural(changed, "contact")} deleted`),
      onError: failed,
    }),
  );
  return (
    <div
      role="group"
      aria-label="Selected contacts"
      className="mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-accent bg-accent-soft px-3 py-2 text-sm"
    >
      <span className="mr-auto font-medium">{people} selected</span>
      <Button size="sm" onClick={() => setOpen("group")}>
        Add to group
      </Button>
      {group ? (
        <Button
          size="sm"
          pending={remove.isPending}
          onClick={() => remove.mutate({ id: group.id, contactIds })}
        >
          Remove from {group.name}
        </Button>
      ) : null}
      <Button size="sm" onClick={() => setOpen("attribute")}>
        Set attribute
      </Button>
      <Button size="sm" variant="danger" onClick={() => setOpen("delete")}>
        Delete
      </Button>
      <Button size="sm" variant="ghost" onClick={onDone}>
        Cancel
      </Button>
      {open === "group" ? (
        <AddToGroup contactIds={contactIds} onClose={() => setOpen(null)} onAdded={done} />
      ) : null}
      {open === "attribute" ? (
        <SetAttribute contactIds={contactIds} onClose={() => setOpen(null)} onSet={done} />
      ) : null}
      <ConfirmDialog
        open={open === "delete"}
        onClose={() => setOpen(null)}
        title={`Delete ${people}?`}
        confirmLabel="Delete"
        pending={deleting.isPending}
        onConfirm={() => deleting.mutate({ contactIds })}
      >
        They are removed from all groups. Their messages and consent are kept. To erase someone completely,
        use Settings → Recipients' data.
      </ConfirmDialog>
    </div>
  );
}

function AddToGroup({
  contactIds,
  onClose,
  onAdded,
}: {
  contactIds: string[];
  onClose: () => void;
  onAdded: (text: string) => Promise<void>;
}) {
  const trpc = useTRPC();
  const groups = useQuery(trpc.contactGroups.list.queryOptions({ limit: 1, kind: "static" }));
  const [id, setId] = useState("");
  const add = useMutation(
    trpc.contactGroups.addMembers.mutationOptions({
      onSuccess: ({ changed }) =>
        onAdded(changed === 0 ? "They were all in the group already" : `${plural(changed, "contact")} added`),
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Add ${plural(contactIds.length, "contact")} to a group`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={id === ""}
            pending={add.isPending}
            onClick={() => add.mutate({ id, contactIds })}
          >
            Add
          </Button>
        </>
      }
    >
      {groups.data?.data.length === 0 ? (
        <p className="text-sm text-ink-muted">
          No groups to add contacts to. Create one under Groups. Groups with a filter find their contacts
          automatically.
        </p>
      ) : (
        <GroupMenu
          label="Group"
          kind="static"
          multiple={false}
          selected={id === "" ? [] : [id]}
          onChange={([next = ""]) => setId(next)}
        />
      )}
    </Dialog>
  );
}

function SetAttribute({
  contactIds,
  onClose,
  onSet,
}: {
  contactIds: string[];
  onClose: () => void;
  onSet: (text: string) => Promise<void>;
}) {
  const trpc = useTRPC();
  const set = useMutation(trpc.contacts.setAttribute.mutationOptions());
  const form = useOperationForm({
    schema: setAttributeSchema,
    defaultValues: { name: "", value: "" },
    input: ({ name, value }) => ({ contactIds, name: name.trim(), value: value.trim() }),
    send: async (input) => {
      const { changed } = await set.mutateAsync(input);
      await onSet(`${plural(changed, "contact")} changed`);
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Set an attribute of ${plural(contactIds.length, "contact")}`}
      submitLabel="Set"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        placeholder="plan"
        maxLength={contactLimits.attributeName}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        {...form.field("value")}
        label="Value"
        hint="Leave empty to remove the attribute"
        maxLength={contactLimits.attributeText}
        autoComplete="off"
      />
    </FormDialog>
  );
}
