"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus, UsersRound } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { createUnitSchema } from "../../server/tenancy/schemas.ts";
import { usePortal, usePortalData, type PortalUnit } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { plural } from "../ui/format.ts";
import { slugOf } from "../ui/slug-of.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { named } from "../ui/isolated.ts";
import { NameField, ShortNameField } from "./part-fields.tsx";
import { PartList, PartRow } from "./part-list.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSaved } from "./use-set-up-changed.ts";

const DeletePartDialog = dynamic(() =>
  import("./delete-part-dialog.tsx").then((module) => module.DeletePartDialog),
);
const RenameDialog = dynamic(() => import("./rename-dialog.tsx").then((module) => module.RenameDialog));

type Doing = { make: true } | { rename: PortalUnit } | { remove: PortalUnit };

/** The teams of the organisation. */
export function TeamsPage() {
  const { units } = usePortal();
  // Of all teams, whichever is chosen on top.
  const { applications } = usePortalData();
  const trpc = useTRPC();
  const [doing, setDoing] = useState<Doing | null>(null);
  const rename = useMutation(trpc.tenancy.updateUnit.mutationOptions());
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
            Applications belong to a team, so create one first.
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
                applications.filter(({ unitId, archived }) => unitId === unit.id && !archived).length,
                "application",
              )}
            </PartRow>
          ))}
        </PartList>
      )}
      {doing && "make" in doing ? <NewTeam onClose={close} /> : null}
      {doing && "rename" in doing ? (
        <RenameDialog
          title={`Rename ${named(doing.rename.name)}`}
          name={doing.rename.name}
          rename={(name) => rename.mutateAsync({ id: doing.rename.id, name })}
          onClose={close}
        />
      ) : null}
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
  const saved = useSaved(onClose);
  const create = useMutation(trpc.tenancy.createUnit.mutationOptions());
  const form = useOperationForm({
    schema: createUnitSchema,
    defaultValues: { name: "", slug: "" },
    input: ({ name, slug }) => ({ name: name.trim(), slug: slug || slugOf(name) }),
    send: async (input) => {
      await create.mutateAsync(input);
      await saved(`Team ${input.name} created`);
    },
  });
  return (
    <FormDialog
      form={form}
      title="New team"
      description="Assign roles under Members and create its applications under Applications."
      submitLabel="Create team"
      onClose={onClose}
    >
      <NameField {...form.field("name")} />
      <ShortNameField {...form.field("slug")} />
    </FormDialog>
  );
}
