"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { viewInputSchema, type SavedView } from "../../server/reports/schemas.ts";
import type { ViewPage } from "../../server/reports/vocabulary.ts";
import { reportLimits } from "../../server/reports/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { changedFields } from "../ui/changed-fields.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** Saves what a page shows, or changes a view. */
export function ViewDialog({
  page,
  query,
  mayShare,
  view,
  onClose,
}: {
  page: ViewPage;
  /** What is shown now. */
  query: string;
  mayShare: boolean;
  view?: SavedView;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("reports");
  const save = useMutation(trpc.reports.saveView.mutationOptions());
  const change = useMutation(trpc.reports.changeView.mutationOptions());
  const [shared, setShared] = useState(view?.shared ?? false);
  const [replace, setReplace] = useState(false);
  const form = useOperationForm({
    schema: viewInputSchema,
    defaultValues: { name: view?.name ?? "" },
    input: ({ name }) => ({ page, name, shared, query: view && !replace ? view.query : query }),
    send: async (input) => {
      if (view) {
        // Only what differs, so that what others change at the same time stays.
        const { name, query: shown } = input;
        await change.mutateAsync({
          id: view.id,
          ...changedFields(view, { name, shared }),
          ...(replace ? { query: shown } : {}),
        });
      } else await save.mutateAsync(input);
      toast.success("View saved");
      onClose();
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      title={view ? `Change “${view.name}”` : "Save this view"}
      description={
        view
          ? undefined
          : "Saves filters, period, environment and team. Relative periods such as “Last 7 days” stay relative."
      }
      submitLabel="Save"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        maxLength={reportLimits.viewName}
        autoComplete="off"
        placeholder="Webshop failures"
      />
      {mayShare || view?.shared ? (
        <CheckboxField
          label="Share with everyone"
          checked={shared}
          disabled={!mayShare && !shared}
          onChange={setShared}
        >
          Everyone with access to this page can use the view. They only see data they have access to.
        </CheckboxField>
      ) : null}
      {view?.shared && !shared && view.reportsOfOthers > 0 ? (
        <p role="status" className="text-sm">
          {plural(view.reportsOfOthers, "scheduled report")} of other people will not be sent while the view
          isn’t shared. They are told.
        </p>
      ) : null}
      {view ? (
        <CheckboxField label="Update with what is shown now" checked={replace} onChange={setReplace}>
          The current filters and period of this page.
        </CheckboxField>
      ) : null}
    </FormDialog>
  );
}
