"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { createEnvironmentSchema } from "../../server/tenancy/schemas.ts";
import { usePortal, type EnvironmentKind, type PortalEnvironment } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/form-fields.tsx";
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

const kinds: Record<EnvironmentKind, { label: string; tone: BadgeTone; says: string }> = {
  production: {
    label: "Production",
    tone: "danger",
    says: "Real recipients. Promotions need approval unless its gates say otherwise.",
  },
  nonproduction: {
    label: "Test",
    tone: "neutral",
    says: "For tests with real providers before production.",
  },
  sandbox: {
    label: "Sandbox",
    tone: "info",
    says: "Everything goes to a simulator. Free, and nothing is really sent. Every organisation has one.",
  },
};

type Doing = { make: true } | { rename: PortalEnvironment } | { remove: PortalEnvironment };

/** The environments of the organisation. */
export function EnvironmentsPage() {
  const { environments } = usePortal();
  const trpc = useTRPC();
  const [doing, setDoing] = useState<Doing | null>(null);
  const rename = useMutation(trpc.tenancy.updateEnvironment.mutationOptions());
  const remove = useMutation(trpc.tenancy.deleteEnvironment.mutationOptions());
  const close = () => setDoing(null);
  return (
    <>
      <SettingsHeader
        path="/environments"
        actions={
          <Button variant="primary" onClick={() => setDoing({ make: true })}>
            <Plus aria-hidden /> New environment
          </Button>
        }
      />
      <PartList label="Environments">
        {environments.map((environment) => (
          <PartRow
            key={environment.id}
            name={environment.name}
            code={environment.slug}
            badge={<Badge tone={kinds[environment.kind].tone}>{kinds[environment.kind].label}</Badge>}
            actions={[
              { label: "Rename…", onSelect: () => setDoing({ rename: environment }) },
              ...(environment.kind === "sandbox"
                ? []
                : [{ label: "Delete…", danger: true, onSelect: () => setDoing({ remove: environment }) }]),
            ]}
          >
            {kinds[environment.kind].says}
          </PartRow>
        ))}
      </PartList>
      {doing && "make" in doing ? <NewEnvironment onClose={close} /> : null}
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
          part={{
            kind: "environment",
            id: doing.remove.id,
            name: doing.remove.name,
            environment: doing.remove.slug,
          }}
          what="environment"
          remove={() => remove.mutateAsync({ id: doing.remove.id })}
          pending={remove.isPending}
          onClose={close}
        />
      ) : null}
    </>
  );
}

function NewEnvironment({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const saved = useSaved(onClose);
  const create = useMutation(trpc.tenancy.createEnvironment.mutationOptions());
  const form = useOperationForm({
    schema: createEnvironmentSchema,
    defaultValues: { name: "", slug: "", kind: "nonproduction" },
    input: ({ name, slug, kind }) => ({
      name: name.trim(),
      slug: slug || slugOf(name),
      kind: kind === "production" ? ("production" as const) : ("nonproduction" as const),
    }),
    send: async (input) => {
      await create.mutateAsync(input);
      await saved(`Environment ${input.name} created`);
    },
  });
  return (
    <FormDialog
      form={form}
      title="New environment"
      description="It needs routing rules and a place in a pipeline before it can send."
      submitLabel="Create environment"
      onClose={onClose}
    >
      <NameField {...form.field("name")} />
      <SelectField
        {...form.field("kind")}
        label="Purpose"
        hint="Can't be changed later. Keys, approvals and prices depend on it."
        options={[
          { value: "nonproduction", label: "Testing" },
          { value: "production", label: "Production: real recipients" },
        ]}
      />
      <ShortNameField {...form.field("slug")} />
    </FormDialog>
  );
}
