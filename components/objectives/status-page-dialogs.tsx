"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import {
  incidentCreateSchema,
  incidentUpdateSchema,
  statusPageSchema,
  type IncidentView,
  type StatusPageView,
} from "../../server/objectives/schemas.ts";
import { incidentStateName, incidentStates, type IncidentState } from "../../server/objectives/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { changedFields } from "../ui/changed-fields.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, SelectField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { toast } from "../ui/toast.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { useRefreshStatusPage } from "./use-refresh-status-page.ts";

const stateOptions = incidentStates.map((value) => ({ value, label: incidentStateName[value] }));

/** What the status page shows, and whether it is published. */
export function SettingsDialog({ page, onClose }: { page: StatusPageView; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefreshStatusPage();
  const change = useMutation(trpc.objectives.changeStatusPage.mutationOptions());
  // As it was when the dialog opened: only what differs is sent, so that what others change at the same time stays.
  const [opened] = useState(page.settings);
  const form = useOperationForm({
    schema: statusPageSchema,
    defaultValues: opened ?? {
      ...{ slug: page.suggested, published: false, figures: false, automatic: false },
    },
    input: (typed) => typed,
    send: async (input) => {
      await change.mutateAsync(opened ? changedFields(opened, input) : input);
      await refresh();
      toast.success(
        input.published === opened?.published
          ? "Status page saved"
          : input.published
            ? "Status page published"
            : "Status page saved but not published",
      );
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Status page"
      description="Shows your name and logo, the status of each channel, 90 days of objectives, and incidents. Changes appear within ten seconds."
      submitLabel="Save"
      onClose={onClose}
    >
      <TextField
        {...form.field("slug")}
        label="Address"
        hint="…/status/ followed by this. Existing links stop working when you change it."
        autoComplete="off"
        required
      />
      {(
        [
          ["published", "Published", "Anyone with the address can see it."],
          [
            "figures",
            "Show percentages",
            "Otherwise days are only shown as operational, degraded or outage.",
          ],
          [
            "automatic",
            "Post incidents automatically",
            "An alert opens an incident and resolves it when it ends.",
          ],
        ] as const
      ).map(([name, label, hint]) => (
        <FormField key={name} {...form.field(name)} label={null}>
          {(_ids, field) => (
            <CheckboxField label={label} checked={field.value} onChange={field.onChange}>
              {hint}
            </CheckboxField>
          )}
        </FormField>
      ))}
    </FormDialog>
  );
}

/** Posts an incident on the status page. */
export function IncidentDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefreshStatusPage();
  const create = useMutation(trpc.objectives.createIncident.mutationOptions());
  const form = useOperationForm({
    schema: incidentCreateSchema,
    defaultValues: { title: "", state: "investigating", text: "" },
    input: (typed) => ({ ...typed, state: typed.state as IncidentState }),
    send: async (input) => {
      await create.mutateAsync(input);
      await refresh();
      toast.success("Incident saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Post incident"
      description="Shown on the status page for 90 days, in your words."
      submitLabel="Save"
      onClose={onClose}
    >
      <TextField {...form.field("title")} label="Title" autoComplete="off" required autoFocus />
      <SelectField {...form.field("state")} label="State" options={stateOptions} />
      <TextareaField {...form.field("text")} label="Update" rows={4} required />
    </FormDialog>
  );
}

/** Adds an update to an incident. */
export function UpdateDialog({ incident, onClose }: { incident: IncidentView; onClose: () => void }) {
  const trpc = useTRPC();
  const refresh = useRefreshStatusPage();
  const update = useMutation(trpc.objectives.updateIncident.mutationOptions());
  const form = useOperationForm({
    schema: incidentUpdateSchema,
    defaultValues: { state: incident.state, text: "" },
    input: (typed) => ({ id: incident.id, state: typed.state, text: typed.text }),
    send: async (input) => {
      await update.mutateAsync(input);
      await refresh();
      toast.success("Update saved");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Update “${incident.title}”`}
      description="“Resolved” closes the incident. Any other state reopens it."
      submitLabel="Save"
      onClose={onClose}
    >
      <SelectField {...form.field("state")} label="State" options={stateOptions} />
      <TextareaField {...form.field("text")} label="Update" rows={4} required autoFocus />
    </FormDialog>
  );
}
