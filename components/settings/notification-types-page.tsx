"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Plus, Tags } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { updateNotificationTypeSchema } from "../../server/tenancy/schemas.ts";
import type { AppRouter } from "../../server/trpc/root.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextareaField } from "../ui/form-fields.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { NewType } from "./new-type-dialog.tsx";
import { classes, classOptions, namesOf, readClass } from "./notification-classes.ts";
import { PartList, PartRow } from "./part-list.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSaved } from "./use-set-up-changed.ts";

const DeletePartDialog = dynamic(() =>
  import("./delete-part-dialog.tsx").then((module) => module.DeletePartDialog),
);

type Type = inferRouterOutputs<AppRouter>["tenancy"]["notificationTypes"]["data"][number];
type Doing = { make: true } | { change: Type } | { remove: Type };

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
          <QueryFailed what="the types" query={query} />
        </Card>
      ) : !types ? (
        <Card className="grid gap-4 p-4" aria-busy>
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </Card>
      ) : types.length === 0 ? (
        <Card>
          <NothingYet
            icon={Tags}
            title="No types yet"
            action={
              <Button variant="primary" onClick={() => setDoing({ make: true })}>
                <Plus aria-hidden /> New type
              </Button>
            }
          >
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

function ChangeType({ type, onClose }: { type: Type; onClose: () => void }) {
  const trpc = useTRPC();
  const saved = useSaved(onClose);
  const queryClient = useQueryClient();
  const update = useMutation(trpc.tenancy.updateNotificationType.mutationOptions());
  const form = useOperationForm({
    schema: updateNotificationTypeSchema,
    defaultValues: { class: type.class, subtypes: type.subtypes.join("\n") },
    input: (values) => ({
      id: type.id,
      class: readClass(values.class),
      subtypes: namesOf(values.subtypes),
      // `type` is as it was when the dialog opened.
      expected: { class: type.class, subtypes: type.subtypes },
    }),
    send: async (input) => {
      await update.mutateAsync(input).catch(async (error: unknown) => {
        // Opened again, the dialog begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict")
          await queryClient.invalidateQueries({ queryKey: trpc.tenancy.notificationTypes.queryKey() });
        throw error;
      });
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
