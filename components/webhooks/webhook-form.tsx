"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useController } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { webhookCreateSchema, type Webhook, type WebhookEvent } from "../../server/webhooks/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { changedFields } from "../ui/changed-fields.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { EventPicker } from "./event-picker.tsx";

/** None would mean all to the service. */
const chosenSchema = webhookCreateSchema.extend({
  events: webhookCreateSchema.shape.events.refine((events) => events.length > 0, "Choose at least one event"),
});

/** Registers an endpoint (`webhook` null) or changes one. A new one hands its secret to `onCreated`. */
export function WebhookForm({
  webhook,
  onClose,
  onCreated,
}: {
  webhook: Webhook | null;
  onClose: () => void;
  onCreated?: (created: { id: string; secret: string }) => void;
}) {
  const { applications, environment } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("webhooks");
  const [which, setWhich] = useState<"all" | "some">(webhook && webhook.events.length > 0 ? "some" : "all");
  const create = useMutation(trpc.webhooks.create.mutationOptions());
  const update = useMutation(trpc.webhooks.update.mutationOptions());
  const [start] = useState({
    url: webhook?.url ?? "",
    description: webhook?.description ?? null,
    events: (webhook?.events ?? []) as WebhookEvent[],
  });
  const form = useOperationForm({
    schema: which === "all" ? webhookCreateSchema : chosenSchema,
    defaultValues: {
      url: start.url,
      application: webhook?.application ?? applications[0]?.name ?? "",
      description: start.description ?? "",
      events: start.events,
    },
    input: ({ url, application, description, events }) => ({
      url: url.trim(),
      application,
      description: description.trim() || null,
      events: which === "all" ? [] : events,
    }),
    send: async ({ application, ...endpoint }) => {
      const created = webhook
        ? null
        : await create.mutateAsync({ environmentId: environment.id, application, ...endpoint });
      if (webhook) {
        const { url, description = null, events = [] } = endpoint;
        await update.mutateAsync({
          id: webhook.id,
          changes: changedFields(start, { url, description, events }),
        });
      }
      await refresh();
      toast.success(created ? `Endpoint added to ${environment.name}` : "Endpoint saved");
      if (created) onCreated?.(created);
      onClose();
    },
  });
  const { field, fieldState } = useController(form.field("events"));
  const { ref, value: chosen, onChange } = field;
  const complaint = fieldState.error?.message;
  const complaintId = useId();

  return (
    <FormDialog
      form={form}
      title={webhook ? "Edit endpoint" : "Add an endpoint"}
      description={
        webhook
          ? `Receives events of ${webhook.application} in ${webhook.environment}.`
          : `Events of one application in ${environment.name} are posted to it, signed.`
      }
      submitLabel={webhook ? "Save" : "Add endpoint"}
      onClose={onClose}
    >
      <TextField
        {...form.field("url")}
        label="URL"
        hint="A public https address. Private and loopback addresses are refused."
        placeholder="https://example.com/hooks/tidings"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        autoFocus
      />
      {webhook ? null : (
        <SelectField
          {...form.field("application")}
          label="Application"
          options={applications.map((each) => ({ value: each.name, label: each.title }))}
        />
      )}
      <TextField
        {...form.field("description")}
        label="Description"
        optional
        maxLength={500}
        placeholder="Which system receives the events"
      />
      <div data-field="events" className="grid gap-2">
        <div className="flex items-center justify-between gap-3">
          <span className="text-sm font-medium">Events</span>
          <Segmented
            label="Events"
            value={which}
            onValueChange={(next) => {
              setWhich(next);
              form.clearErrors("events");
            }}
            options={[
              { value: "all", label: "All" },
              { value: "some", label: "Chosen" },
            ]}
          />
        </div>
        {which === "some" ? (
          <EventPicker
            ref={ref}
            selected={chosen}
            onChange={onChange}
            describedBy={complaint ? complaintId : undefined}
          />
        ) : null}
        {complaint ? (
          <p id={complaintId} className="text-xs text-danger-text">
            {complaint}
          </p>
        ) : null}
      </div>
    </FormDialog>
  );
}
