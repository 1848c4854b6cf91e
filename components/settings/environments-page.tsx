"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { createEnvironmentSchema, updateEnvironmentSchema } from "../../server/tenancy/schemas.ts";
import { usePortal, type EnvironmentKind, type PortalEnvironment } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { slugOf } from "../ui/slug-of.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { DeletePartDialog } from "./delete-part-dialog.tsx";
import { PartList, PartRow } from "./part-list.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSetUpChanged } from "./use-set-up-changed.ts";

const kinds: Record<EnvironmentKind, { label: string; tone: BadgeTone; says: string }> = {
  production: {
    label: "Production",
    tone: "danger",
    says: "Real recipients. Promotions into it need approval unless its stage says otherwise.",
  },
  nonproduction: {
    label: "Not production",
    tone: "neutral",
    says: "For trying things out with providers of its own, before production.",
  },
  sandbox: {
    label: "Sandbox",
    tone: "info",
    says: "Everything goes to a simulator: free, and nothing leaves. Every organisation has one.",
  },
};

type Doing = { make: true } | { rename: PortalEnvironment } | { remove: PortalEnvironment };

/** The environments of the organisation. */
export function EnvironmentsPage() {
  const { environments } = usePortal();
  const trpc = useTRPC();
  const [doing, setDoing] = useState<Doing | null>(null);
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
      {doing && "rename" in doing ? <RenameEnvironment environment={doing.rename} onClose={close} /> : null}
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
  const changed = useSetUpChanged();
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
      toast.success(`Environment ${input.name} made`);
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog
      form={form}
      title="New environment"
      description="It sends once it has routing rules and is a stage of a pipeline."
      submitLabel="Make the environment"
      onClose={onClose}
    >
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoFocus autoComplete="off" />
      <SelectField
        {...form.field("kind")}
        label="What it is for"
        hint="This stays as it is: keys, gates and prices hang on it."
        options={[
          { value: "nonproduction", label: "Trying things out" },
          { value: "production", label: "Production: real recipients" },
        ]}
      />
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

function RenameEnvironment({
  environment,
  onClose,
}: {
  environment: PortalEnvironment;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const changed = useSetUpChanged();
  const update = useMutation(trpc.tenancy.updateEnvironment.mutationOptions());
  const form = useOperationForm({
    schema: updateEnvironmentSchema,
    defaultValues: { name: environment.name },
    input: ({ name }) => ({ id: environment.id, name: name.trim() }),
    send: async (input) => {
      await update.mutateAsync(input);
      toast.success("Name saved");
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog form={form} title={`Rename ${environment.name}`} submitLabel="Save" onClose={onClose}>
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoFocus autoComplete="off" />
    </FormDialog>
  );
}
