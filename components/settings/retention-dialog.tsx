"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { retentionUpdateSchema, type RetentionState } from "../../server/privacy/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode, errorText } from "../trpc/error-text.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { formatNumber } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

/** The three periods, and what would go with them. */
export function RetentionDialog({ state, onClose }: { state: RetentionState; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { limits } = state;
  // As they were when the dialog opened: they are fetched again while it is open.
  const [opened] = useState({
    contentDays: state.contentDays,
    metadataMonths: state.metadataMonths,
    webhookLogDays: state.webhookLogDays,
  });
  const update = useMutation(trpc.privacy.updateRetention.mutationOptions());
  const form = useOperationForm({
    schema: retentionUpdateSchema,
    defaultValues: {
      contentDays: String(opened.contentDays),
      metadataMonths: String(opened.metadataMonths),
      webhookLogDays: String(opened.webhookLogDays),
    },
    input: (typed) => ({
      contentDays: Number(typed.contentDays),
      metadataMonths: Number(typed.metadataMonths),
      webhookLogDays: Number(typed.webhookLogDays),
      expected: opened,
    }),
    send: async (input) => {
      const saved = await update.mutateAsync(input).catch(async (error: unknown) => {
        // Opened again, the dialog begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict")
          await queryClient.invalidateQueries({ queryKey: trpc.privacy.retention.queryKey() });
        throw error;
      });
      queryClient.setQueryData(trpc.privacy.retention.queryKey(), saved);
      toast.success("Periods saved");
      onClose();
    },
  });
  const typed = useDeferredValue(useWatch({ control: form.control }));
  const wanted = retentionUpdateSchema.safeParse({
    contentDays: Number(typed.contentDays),
    metadataMonths: Number(typed.metadataMonths),
    webhookLogDays: Number(typed.webhookLogDays),
  });
  const changed =
    wanted.success &&
    (wanted.data.contentDays !== opened.contentDays ||
      wanted.data.metadataMonths !== opened.metadataMonths ||
      wanted.data.webhookLogDays !== opened.webhookLogDays);
  const shorter =
    wanted.success &&
    (wanted.data.contentDays < opened.contentDays ||
      wanted.data.metadataMonths < opened.metadataMonths ||
      wanted.data.webhookLogDays < opened.webhookLogDays);
  const hint = (limit: { min: number; max: number }) => `From ${String(limit.min)} to ${String(limit.max)}`;
  return (
    <FormDialog
      form={form}
      title="Change periods"
      description="Also applies to existing data. Older data is permanently removed within an hour."
      submitLabel="Save"
      danger={shorter}
      disabled={!changed}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          {...form.field("contentDays")}
          label="Content, days"
          hint={hint(limits.contentDays)}
          inputMode="numeric"
        />
        <TextField
          {...form.field("metadataMonths")}
          label="Messages, months"
          hint={hint(limits.metadataMonths)}
          inputMode="numeric"
        />
        <TextField
          {...form.field("webhookLogDays")}
          label="Webhook log, days"
          hint={hint(limits.webhookLogDays)}
          inputMode="numeric"
        />
      </div>
      {wanted.success && changed ? <Preview input={wanted.data} /> : null}
    </FormDialog>
  );
}

function Preview({
  input,
}: {
  input: { contentDays: number; metadataMonths: number; webhookLogDays: number };
}) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.privacy.previewRetention.queryOptions(input, { staleTime: 60_000, retry: false }),
  );
  if (query.isError && !query.data) {
    return (
      <p className="text-sm text-ink-muted">
        The affected data couldn't be counted: {errorText(query.error)}
      </p>
    );
  }
  if (!query.data) {
    return (
      <div className="grid gap-2" aria-busy aria-label="Counting affected data">
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
      </div>
    );
  }
  const due = query.data.steps.filter(({ count }) => count > 0);
  if (due.length === 0) return <p className="text-sm text-ink-muted">No data is old enough to be removed.</p>;
  return (
    <div className="rounded-md border border-line">
      <p className="px-3 pt-2.5 text-sm font-medium">To be removed within an hour</p>
      <ul className="px-3 pt-1 pb-2.5 text-sm">
        {due.map(({ id, what, action, count, more }) => (
          <li key={id} className="flex justify-between gap-4 py-0.5">
            <span className="text-ink-muted">{action === "blank" ? `${what}: contents` : what}</span>
            <span className="tabular">
              {more ? "at least " : ""}
              {formatNumber(count)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
