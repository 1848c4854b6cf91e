"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Plus, Tags } from "lucide-react";
import { useState } from "react";
import {
  createNotificationTypeSchema,
  notificationClassSchema,
  updateNotificationTypeSchema,
} from "../../server/tenancy/schemas.ts";
import type { NotificationClass } from "../../server/tenancy/schemas.ts";
import type { AppRouter } from "../../server/trpc/root.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField, TextField } from "../ui/form-fields.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { DeletePartDialog } from "./delete-part-dialog.tsx";
import { PartList, PartRow } from "./part-list.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSaved } from "./use-set-up-changed.ts";

type Type = inferRouterOutputs<AppRouter>["tenancy"]["notificationTypes"]["data"][number];
type Doing = { make: true } | { change: Type } | { remove: Type };

const classes: Record<NotificationClass, { label: string; tone: BadgeTone; says: string }> = {
  authentication: {
    label: "Authentication",
    tone: "accent",
    says: "One-time codes. Sent first, without consent. Expire after minutes.",
  },
  transactional: {
    label: "Transactional",
    tone: "info",
    says: "Messages someone is waiting for. Sent fast, to everyone who has not opted out.",
  },
  service: {
    label: "Service",
    tone: "neutral",
    says: "News about the service. Sent in bulk, to everyone who has not opted out.",
  },
  marketing: {
    label: "Marketing",
    tone: "warning",
    says: "Offers. Sent in bulk, only to people who have opted in.",
  },
};

const classOptions = notificationClassSchema.options.map((value) => ({ value, label: classes[value].label }));

/** "order_status, receipt" or one a line → the names. */
const namesOf = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean);

/** What messages are about. */
export function NotificationTypesPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.tenancy.notificationTypes.queryOptions());
  const [doing, setDoing] = useState<Doing | null>(null);
  const remove = useMutation(trpc.tenancy.deleteNotificationType.mutationOptions());
  const close = () => setDoing(null);
  const types = query.data?.data;
  return (
    <>
      <SettingsHeader
        path="/notification-types"
        actions={
          <Button variant="primary" onClick={() => setDoing({ make: true })}>
            <Plus aria-hidden /> New type
          </Button>
        }
      />
      {query.isError && !types ? (
        <Card>
          <QueryFailed what="the types" error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : !types ? (
        <Card className="grid gap-4 p-4" aria-busy>
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </Card>
      ) : types.length === 0 ? (
        <Card>
          <NothingYet icon={Tags} title="No types yet">
            Every message has a type and a subtype. Create one to start sending.
          </NothingYet>
        </Card>
      ) : (
        <PartList label="Notification types">
          {types.map((type) => (
            <PartRow
              key={type.id}
              name={type.type}
              code={type.type}
              badge={<Badge tone={classes[type.class].tone}>{classes[type.class].label}</Badge>}
              actions={[
                { label: "Change…", onSelect: () => setDoing({ change: type }) },
                { label: "Delete…", danger: true, onSelect: () => setDoing({ remove: type }) },
              ]}
            >
              <p>{classes[type.class].says}</p>
              <p className="mt-0.5 font-mono text-xs">{type.subtypes.join(", ")}</p>
            </PartRow>
          ))}
        </PartList>
      )}
      {doing && "make" in doing ? <NewType onClose={close} /> : null}
      {doing && "change" in doing ? <ChangeType type={doing.change} onClose={close} /> : null}
      {doing && "remove" in doing ? (
        <DeletePartDialog
          part={{ kind: "notificationType", id: doing.remove.id, name: doing.remove.type }}
          what="type"
          remove={() => remove.mutateAsync({ id: doing.remove.id })}
          pending={remove.isPending}
          onClose={close}
        />
      ) : null}
    </>
  );
}

const readClass = (value: string): NotificationClass => notificationClassSchema.parse(value);

function NewType({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const saved = useSaved(onClose);
  const create = useMutation(trpc.tenancy.createNotificationType.mutationOptions());
  const form = useOperationForm({
    schema: createNotificationTypeSchema,
    defaultValues: { type: "", class: "transactional", subtypes: "" },
    input: (values) => ({
      type: values.type.trim(),
      class: readClass(values.class),
      subtypes: namesOf(values.subtypes),
    }),
    send: async (input) => {
      await create.mutateAsync(input);
      await saved(`Type ${input.type} created`);
    },
  });
  return (
    <FormDialog
      form={form}
      title="New notification type"
      description="Requests specify a type and subtype. Each template is for one of them."
      submitLabel="Create type"
      onClose={onClose}
    >
      <TextField
        {...form.field("type")}
        label="Name"
        hint="Used in requests. Can't be changed later."
        placeholder="order"
        maxLength={64}
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectField
        {...form.field("class")}
        label="Class"
        hint={classes[readClass(form.watch("class"))].says}
        options={classOptions}
      />
      <TextareaField
        {...form.field("subtypes")}
        label="Subtypes"
        hint="Lower-case letters, digits and underscores, one per line."
        placeholder={"order_status\nreceipt"}
        rows={4}
        autoCapitalize="none"
        spellCheck={false}
        inputClassName="font-mono"
      />
    </FormDialog>
  );
}

function ChangeType({ type, onClose }: { type: Type; onClose: () => void }) {
  const trpc = useTRPC();
  const saved = useSaved(onClose);
  const update = useMutation(trpc.tenancy.updateNotificationType.mutationOptions());
  const form = useOperationForm({
    schema: updateNotificationTypeSchema,
    defaultValues: { class: type.class, subtypes: type.subtypes.join("\n") },
    input: (values) => ({
      id: type.id,
      class: readClass(values.class),
      subtypes: namesOf(values.subtypes),
    }),
    send: async (input) => {
      await update.mutateAsync(input);
      await saved(`${type.type} saved`);
    },
  });
  const chosen = readClass(form.watch("class"));
  return (
    <FormDialog
      form={form}
      title={`Change ${type.type}`}
      submitLabel="Save"
      danger={chosen !== type.class}
      onClose={onClose}
    >
      <SelectField
        {...form.field("class")}
        label="Class"
        hint={classes[chosen].says}
        options={classOptions}
      />
      {chosen === type.class ? null : (
        <p className="rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text">
          New messages of this type follow the new class: required consent, speed and expiry.
        </p>
      )}
      <TextareaField
        {...form.field("subtypes")}
        label="Subtypes"
        hint="One per line. Subtypes used by templates or rules can't be removed."
        rows={5}
        autoCapitalize="none"
        spellCheck={false}
        inputClassName="font-mono"
      />
    </FormDialog>
  );
}
