"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import type { Webhook, WebhookEvent } from "../../server/webhooks/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { EventPicker } from "./event-picker.tsx";

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
  const queryClient = useQueryClient();
  const formId = useId();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [application, setApplication] = useState(webhook?.application ?? applications[0]?.name ?? "");
  const [events, setEvents] = useState<WebhookEvent[]>((webhook?.events as WebhookEvent[] | undefined) ?? []);
  const [which, setWhich] = useState<"all" | "some">(webhook && webhook.events.length > 0 ? "some" : "all");

  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.webhooks.pathKey() });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: async (created) => {
        await refresh();
        toast.success(`Endpoint registered for ${environment.name}`);
        onCreated?.(created);
        onClose();
      },
    }),
  );
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast.success("Endpoint saved");
        onClose();
      },
    }),
  );
  const error = create.error ?? update.error;
  const wrong = fieldErrors(error);

  function submit() {
    const common = {
      url: url.trim(),
      description: description.trim() === "" ? null : description.trim(),
      events: which === "all" ? [] : events,
    };
    if (webhook) update.mutate({ id: webhook.id, changes: common });
    else create.mutate({ environmentId: environment.id, application, ...common });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={webhook ? "Edit endpoint" : "Add an endpoint"}
      description={
        webhook
          ? `Receives events of ${webhook.application} in ${webhook.environment}.`
          : `Events of one application in ${environment.name} are posted to it, signed.`
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={create.isPending || update.isPending}
          >
            {webhook ? "Save" : "Add endpoint"}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {error && Object.keys(wrong).length === 0 ? <FormError title={errorText(error)} /> : null}
        <Field
          label="URL"
          error={wrong.url}
          hint="A public https address. Private and loopback addresses are refused."
        >
          {(control) => (
            <Input
              {...control}
              value={url}
              onChange={(event) => setUrl(event.target.value)}
              placeholder="https://example.com/hooks/tidings"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              required
              autoFocus
            />
          )}
        </Field>
        {webhook ? null : (
          <Field label="Application" error={wrong.application}>
            {(control) => (
              <Select
                id={control.id}
                value={application}
                onValueChange={setApplication}
                options={applications.map((each) => ({ value: each.name, label: each.title }))}
              />
            )}
          </Field>
        )}
        <Field label="Description" optional error={wrong.description}>
          {(control) => (
            <Input
              {...control}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
              maxLength={500}
              placeholder="What listens there"
            />
          )}
        </Field>
        <div className="grid gap-2">
          <div className="flex items-center justify-between gap-3">
            <span className="text-sm font-medium">Events</span>
            <Segmented
              label="Events"
              value={which}
              onValueChange={setWhich}
              options={[
                { value: "all", label: "All" },
                { value: "some", label: "Chosen" },
              ]}
            />
          </div>
          {which === "some" ? <EventPicker selected={events} onChange={setEvents} /> : null}
          {wrong.events ? <p className="text-xs text-danger-text">{wrong.events}</p> : null}
        </div>
      </form>
    </Dialog>
  );
}
