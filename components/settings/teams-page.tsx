"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus, UsersRound } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { createUnitSchema, updateUnitSchema } from "../../server/tenancy/schemas.ts";
import { usePortal, type PortalUnit } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { slugOf } from "../ui/slug-of.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { DeletePartDialog } from "./delete-part-dialog.tsx";
import { PartList, PartRow } from "./part-list.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSetUpChanged } from "./use-set-up-changed.ts";

type Doing = { make: true } | { rename: PortalUnit } | { remove: PortalUnit };

/** The teams of the organisation. */
export function TeamsPage() {
  const { units, applications } = usePortal();
  const trpc = useTRPC();
  const [doing, setDoing] = useState<Doing | null>(null);
  const remove = useMutation(trpc.tenancy.deleteUnit.mutationOptions());
  const close = () => setDoing(null);
  return (
    <>
      <SettingsHeader
        path="/teams"
        actions={
          <Button variant="primary" onClick={() => setDoing({ make: true })}>
            <Plus aria-hidden /> New team
          </Button>
        }
      />
      {units.length === 0 ? (
        <Card>
          <NothingYet icon={UsersRound} title="No teams yet">
            An application belongs to a team: make one first.
          </NothingYet>
        </Card>
      ) : (
        <PartList label="Teams">
          {units.map((unit) => (
            <PartRow
              key={unit.id}
              name={unit.name}
              code={unit.slug}
              actions={[
                { label: "Rename…", onSelect: () => setDoing({ rename: unit }) },
                { label: "Delete…", danger: true, onSelect: () => setDoing({ remove: unit }) },
              ]}
            >
              {plural(
                applications.filter(({ unitId }) => unitId === unit.id).length,
                "application",
                "applications",
              )}
            </PartRow>
          ))}
        </PartList>
      )}
      {doing && "make" in doing ? <NewTeam onClose={close} /> : null}
      {doing && "rename" in doing ? <RenameTeam unit={doing.rename} onClose={close} /> : null}
      {doing && "remove" in doing ? (
        <DeletePartDialog
          part={{ kind: "unit", id: doing.remove.id, name: doing.remove.name }}
          what="team"
          remove={() => remove.mutateAsync({ id: doing.remove.id })}
          pending={remove.isPending}
          onClose={close}
        />
      ) : null}
    </>
  );
}

function NewTeam({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useSetUpChanged();
  const create = useMutation(trpc.tenancy.createUnit.mutationOptions());
  const form = useOperationForm({
    schema: createUnitSchema,
    defaultValues: { name: "", slug: "" },
    input: ({ name, slug }) => ({ name: name.trim(), slug: slug || slugOf(name) }),
    send: async (input) => {
      await create.mutateAsync(input);
      toast.success(`Team ${input.name} made`);
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog
      form={form}
      title="New team"
      description="Give its members their roles under Members, and it its applications."
      submitLabel="Make the team"
      onClose={onClose}
    >
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoFocus autoComplete="off" />
      <TextField
        {...form.field("slug")}
        label="Short name"
        hint="For addresses and the API. Made from the name without one; it stays as it is."
        optional
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}

function RenameTeam({ unit, onClose }: { unit: PortalUnit; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useSetUpChanged();
  const update = useMutation(trpc.tenancy.updateUnit.mutationOptions());
  const form = useOperationForm({
    schema: updateUnitSchema,
    defaultValues: { name: unit.name },
    input: ({ name }) => ({ id: unit.id, name: name.trim() }),
    send: async (input) => {
      await update.mutateAsync(input);
      toast.success("Name saved");
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog form={form} title={`Rename ${unit.name}`} submitLabel="Save" onClose={onClose}>
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoFocus autoComplete="off" />
    </FormDialog>
  );
}
