"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { deleteOrganisationSchema } from "../../server/console/schemas.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField, TextareaField } from "../ui/form-fields.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { useConsole } from "./client.tsx";

type Organisation = inferRouterOutputs<ConsoleRouter>["organisations"]["get"];

function useChanged() {
  const api = useConsole();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: api.organisations.pathKey() });
}

/** Deletes an organisation, or says how far that is. */
export function DeletionCard({ organisation }: { organisation: Organisation }) {
  const api = useConsole();
  const changed = useChanged();
  const [asking, setAsking] = useState(false);
  const { deletion } = organisation;
  const keep = useMutation(
    api.organisations.keep.mutationOptions({
      onSuccess: async () => {
        toast.success(`${organisation.name} is no longer being deleted`);
        setAsking(false);
        await changed();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  if (!deletion) {
    return (
      <Card className="lg:col-span-2">
        <CardHeader
          title="Delete organisation"
          description={`The organisation is suspended immediately. After ${String(organisation.deletionDays)} days, all its data is deleted. Until then, you can cancel the deletion.`}
          actions={
            <Button variant="quietDanger" onClick={() => setAsking(true)}>
              Delete…
            </Button>
          }
        />
        {asking ? <DeleteDialog organisation={organisation} onClose={() => setAsking(false)} /> : null}
      </Card>
    );
  }
  const begun = deletion.startedAt !== null;
  return (
    <Card className="lg:col-span-2">
      <CardHeader
        title={begun ? "Deletion in progress" : "Deletion scheduled"}
        description={
          begun ? (
            `Tables left: ${String(deletion.tablesLeft ?? "being counted")}. The log then shows how many rows were deleted.`
          ) : (
            <>
              All its data is deleted from <AbsoluteTime value={deletion.dueAt} /> on. Until then it is
              suspended, and you can cancel the deletion.
            </>
          )
        }
        actions={
          begun ? null : (
            <Button variant="primary" onClick={() => setAsking(true)}>
              Cancel deletion
            </Button>
          )
        }
      />
      <ConfirmDialog
        open={asking && !begun}
        onClose={() => setAsking(false)}
        title={`Cancel deletion of ${organisation.name}?`}
        confirmLabel="Keep organisation"
        danger={false}
        pending={keep.isPending}
        onConfirm={() => keep.mutate({ id: organisation.id })}
      >
        Nothing has been deleted yet. The organisation stays suspended until you reactivate it.
      </ConfirmDialog>
    </Card>
  );
}

function DeleteDialog({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) {
  const api = useConsole();
  const changed = useChanged();
  const remove = useMutation(api.organisations.delete.mutationOptions());
  const form = useOperationForm({
    schema: deleteOrganisationSchema,
    defaultValues: { reason: "", slug: "" },
    input: ({ reason, slug }) => ({ id: organisation.id, reason: reason.trim(), slug: slug.trim() }),
    send: async (input) => {
      await remove.mutateAsync(input);
      toast.success(`${organisation.name} will be deleted`);
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Delete ${organisation.name}?`}
      description={`Its messages, templates, members, keys and audit trail are deleted after ${String(organisation.deletionDays)} days. Backups and audit checkpoints, which contain no content, are kept.`}
      submitLabel="Delete organisation"
      danger
      disabled={form.watch("slug").trim() !== organisation.slug}
      onClose={onClose}
    >
      <TextareaField
        {...form.field("reason")}
        label="Reason"
        hint="Shown in your log and in the organisation's audit trail."
        rows={3}
        maxLength={500}
        required
        autoFocus
      />
      <TextField
        {...form.field("slug")}
        label={`Type ${organisation.slug} to confirm`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}
