"use client";

import { useMutation } from "@tanstack/react-query";
import { AppWindow, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { createApplicationSchema, updateApplicationSchema } from "../../server/tenancy/schemas.ts";
import { usePortal, usePortalData, type PortalApplication } from "../portal/portal-context.tsx";
import { placeName } from "../templates/places.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { changedFields } from "../ui/changed-fields.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, SelectField } from "../ui/form-fields.tsx";
import { Link } from "../ui/link.tsx";
import { slugOf } from "../ui/slug-of.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { named } from "../ui/isolated.ts";
import { NameField, PlaceFields, ShortNameField } from "./part-fields.tsx";
import { PartList, PartRow } from "./part-list.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSaved, useSetUpChanged } from "./use-set-up-changed.ts";

const ArchiveDialog = dynamic(() =>
  import("./delete-part-dialog.tsx").then((module) => module.ArchiveDialog),
);

type Doing = { make: true } | { change: PortalApplication } | { archive: PortalApplication };

/** The applications of the organisation, or of the reader's team; archived ones last. */
export function ApplicationsPage() {
  const { canIn, environments, units } = usePortal();
  // Archived ones, too, and those of all teams.
  const { applications } = usePortalData();
  const trpc = useTRPC();
  const changed = useSetUpChanged();
  const [doing, setDoing] = useState<Doing | null>(null);
  const archive = useMutation(trpc.tenancy.archiveApplication.mutationOptions());
  const close = () => setDoing(null);
  const sorted = [...applications].sort((one, other) => Number(one.archived) - Number(other.archived));
  const managed = units.filter(({ id }) => canIn("organization:manage", id));

  async function restore(application: PortalApplication) {
    try {
      await archive.mutateAsync({ id: application.id, archived: false });
      toast.success(`${named(application.title)} restored`);
      await changed();
    } catch (error) {
      toast.error(errorText(error));
    }
  }

  return (
    <>
      <SettingsHeader
        path="/applications"
        actions={
          managed.length > 0 ? (
            <Button variant="primary" onClick={() => setDoing({ make: true })}>
              <Plus aria-hidden /> New application
            </Button>
          ) : null
        }
      />
      {sorted.length === 0 ? (
        <Card>
          <NothingYet icon={AppWindow} title="No applications yet">
            {managed.length > 0
              ? "Create one to send in the sandbox."
              : "Applications belong to a team. Create a team first."}
          </NothingYet>
        </Card>
      ) : (
        <PartList label="Applications">
          {sorted.map((application) => (
            <PartRow
              key={application.id}
              name={application.title}
              code={application.name}
              badge={application.archived ? <Badge tone="warning">Archived</Badge> : null}
              actions={
                !canIn("organization:manage", application.unitId)
                  ? []
                  : application.archived
                    ? [{ label: "Restore", onSelect: () => void restore(application) }]
                    : [
                        { label: "Change…", onSelect: () => setDoing({ change: application }) },
                        {
                          label: "Archive…",
                          danger: true,
                          onSelect: () => setDoing({ archive: application }),
                        },
                      ]
              }
            >
              {[
                units.find(({ id }) => id === application.unitId)?.name,
                placeName("region", application.defaultRegion),
                placeName("language", application.defaultLanguage),
                application.stages
                  .map((stage) => environments.find(({ id }) => id === stage)?.name ?? "?")
                  .join(" → "),
              ]
                .filter(Boolean)
                .join(" · ")}
            </PartRow>
          ))}
        </PartList>
      )}
      {doing && "make" in doing ? <NewApplication onClose={close} /> : null}
      {doing && "change" in doing ? <ChangeApplication application={doing.change} onClose={close} /> : null}
      {doing && "archive" in doing ? (
        <ArchiveDialog
          part={{ kind: "application", id: doing.archive.id, name: doing.archive.title }}
          archive={() => archive.mutateAsync({ id: doing.archive.id, archived: true })}
          pending={archive.isPending}
          onClose={close}
        />
      ) : null}
    </>
  );
}

function NewApplication({ onClose }: { onClose: () => void }) {
  const { applications, canIn, environments, units } = usePortal();
  const trpc = useTRPC();
  const saved = useSaved(onClose);
  const create = useMutation(trpc.tenancy.createApplication.mutationOptions());
  const managed = units.filter(({ id }) => canIn("organization:manage", id));
  const stages = environments.filter(({ kind }) => kind !== "sandbox");
  const form = useOperationForm({
    schema: createApplicationSchema,
    defaultValues: {
      title: "",
      name: "",
      unitId: managed[0]?.id ?? "",
      defaultRegion: applications[0]?.defaultRegion ?? "DE",
      defaultLanguage: applications[0]?.defaultLanguage ?? "en",
      stages: stages.map(({ id }) => id),
    },
    input: ({ title, name, ...others }) => ({
      title: title.trim(),
      name: name || slugOf(title, 64),
      ...others,
    }),
    send: async (input) => {
      await create.mutateAsync(input);
      await saved(`Application ${input.title} created`);
    },
  });
  return (
    <FormDialog
      form={form}
      title="New application"
      description="With its own templates, pipeline and keys."
      submitLabel="Create application"
      onClose={onClose}
    >
      <NameField {...form.field("title")} />
      <ShortNameField
        {...form.field("name")}
        label="Name in requests"
        hint="What your systems send as “application”. Leave empty to derive it from the name. Can't be changed later."
        maxLength={64}
      />
      <SelectField
        {...form.field("unitId")}
        label="Team"
        options={managed.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <PlaceFields country={form.field("defaultRegion")} language={form.field("defaultLanguage")} />
      <FormField
        {...form.field("stages")}
        label="Pipeline"
        hint="The environments that templates pass through, in this order. Set their gates under Pipeline → Stages and gates."
      >
        {(ids, field) => (
          <div id={ids.id} role="group" aria-label="Pipeline" className="grid gap-1.5">
            {stages.map(({ id, name }) => (
              <CheckboxField
                key={id}
                label={name}
                checked={field.value.includes(id)}
                onChange={(on) =>
                  field.onChange(
                    stages
                      .map((stage) => stage.id)
                      .filter((stage) => (stage === id ? on : field.value.includes(stage))),
                  )
                }
              />
            ))}
          </div>
        )}
      </FormField>
    </FormDialog>
  );
}

function ChangeApplication({
  application,
  onClose,
}: {
  application: PortalApplication;
  onClose: () => void;
}) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const saved = useSaved(onClose);
  const update = useMutation(trpc.tenancy.updateApplication.mutationOptions());
  const { id, title, defaultRegion, defaultLanguage } = application;
  // Only what differs from it is sent, so that what others change at the same time stays.
  const opened = { title, defaultRegion, defaultLanguage };
  const form = useOperationForm({
    schema: updateApplicationSchema,
    defaultValues: opened,
    input: (values) => ({ id, ...values, title: values.title.trim() }),
    send: async ({ id: _, ...input }) => {
      await update.mutateAsync({ id, ...changedFields(opened, input) });
      await saved("Application saved");
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Change ${named(title)}`}
      description={
        <>
          In requests it is called <code className="font-mono">{application.name}</code>, which can't be
          changed. Its stages are under{" "}
          <Link
            href={href("/pipeline/settings", { application: application.name })}
            className="text-accent-text hover:underline"
          >
            Pipeline settings
          </Link>
          .
        </>
      }
      submitLabel="Save"
      onClose={onClose}
    >
      <NameField {...form.field("title")} />
      <PlaceFields country={form.field("defaultRegion")} language={form.field("defaultLanguage")} />
    </FormDialog>
  );
}
