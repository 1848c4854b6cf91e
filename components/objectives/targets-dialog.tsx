"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { objectiveSettingsSchema } from "../../server/objectives/schemas.ts";
import type { ObjectivesView } from "../../server/objectives/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { changedFields } from "../ui/changed-fields.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

const numberOf = (typed: string) => (typed === "" ? Number.NaN : Number(typed));

/** Changes the targets. */
export function TargetsDialog({ objectives, onClose }: { objectives: ObjectivesView; onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const change = useMutation(trpc.objectives.change.mutationOptions());
  const targetOf = (kind: "availability" | "codes") =>
    objectives.objectives.find(({ objective }) => objective === kind)?.target;
  // As they were when the dialog opened: only what differs is sent, so that what others change at the same time stays.
  const [opened] = useState({
    availabilityTarget: targetOf("availability"),
    codesTarget: targetOf("codes"),
    codesSeconds: objectives.codesSeconds,
  });
  const form = useOperationForm({
    schema: objectiveSettingsSchema,
    decimals: ["availabilityTarget", "codesTarget", "codesSeconds"],
    defaultValues: {
      availabilityTarget: String(opened.availabilityTarget ?? ""),
      codesTarget: String(opened.codesTarget ?? ""),
      codesSeconds: String(opened.codesSeconds),
    },
    input: (typed) => ({
      availabilityTarget: numberOf(typed.availabilityTarget),
      codesTarget: numberOf(typed.codesTarget),
      codesSeconds: numberOf(typed.codesSeconds),
    }),
    send: async (input) => {
      await change.mutateAsync(changedFields(opened, input));
      await client.invalidateQueries({ queryKey: trpc.objectives.get.queryKey() });
      toast.success("Targets saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Change targets"
      description="The last 30 days are measured against the new targets immediately."
      submitLabel="Save"
      onClose={onClose}
    >
      <TextField
        {...form.field("availabilityTarget")}
        label="Send requests accepted, %"
        hint="90 to 99.99"
        inputMode="decimal"
        autoComplete="off"
        required
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field("codesTarget")}
          label="One-time codes in time, %"
          hint="90 to 99.99"
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <TextField
          {...form.field("codesSeconds")}
          label="In time: seconds"
          hint="2 to 60"
          inputMode="numeric"
          autoComplete="off"
          required
        />
      </div>
    </FormDialog>
  );
}
