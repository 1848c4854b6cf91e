"use client";

import { useMutation } from "@tanstack/react-query";
import { AppWindow, Plus } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { toast } from "sonner";
import { createApplicationSchema, updateApplicationSchema } from "../../server/tenancy/schemas.ts";
import { usePortal, usePortalData, type PortalApplication } from "../portal/portal-context.tsx";
import { commonLanguages, placeName } from "../templates/places.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { countries } from "../ui/countries.ts";
import { NothingYet } from "../ui/empty-state.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormField, SelectField, TextField } from "../ui/form-fields.tsx";
import { slugOf } from "../ui/slug-of.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { ArchiveDialog } from "./delete-part-dialog.tsx";
import { PartList, PartRow } from "./part-list.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSetUpChanged } from "./use-set-up-changed.ts";

type Doing = { make: true } | { change: PortalApplication } | { archive: PortalApplication };

const languageOptions = commonLanguages
  .map((code) => ({ value: code, label: placeName("language", code) }))
  .sort((one, other) => one.label.localeCompare(other.label, "en"));
const countryOptions = countries.map(({ code, name }) => ({ value: code, label: name }));

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
      toast.success(`${application.title} is in use again`);
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
              ? "Make one, and it can send in the sandbox."
              : "An application belongs to a team: make one first."}
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
                    ? [{ label: "Take back", onSelect: () => void restore(application) }]
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
  const changed = useSetUpChanged();
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
      toast.success(`Application ${input.title} made`);
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog
      form={form}
      title="New application"
      description="It has templates, a pipeline and keys of its own."
      submitLabel="Make the application"
      onClose={onClose}
    >
      <TextField
        {...form.field("title")}
        label="Name"
        maxLength={120}
        required
        autoFocus
        autoComplete="off"
      />
      <TextField
        {...form.field("name")}
        label="Name in requests"
        hint="What your systems send as “application”. Made from the name without one; it stays as it is."
        optional
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectField
        {...form.field("unitId")}
        label="Team"
        options={managed.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field("defaultRegion")}
          label="Country"
          hint="Of numbers without a prefix"
          options={countryOptions}
        />
        <SelectField
          {...form.field("defaultLanguage")}
          label="Language"
          hint="Where a request names none"
          options={languageOptions}
        />
      </div>
      <FormField
        {...form.field("stages")}
        label="Pipeline"
        hint="The environments that templates go through, in this order. Its gates are set under Pipeline → Settings."
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
  const changed = useSetUpChanged();
  const update = useMutation(trpc.tenancy.updateApplication.mutationOptions());
  const { id, title, defaultRegion, defaultLanguage } = application;
  const form = useOperationForm({
    schema: updateApplicationSchema,
    defaultValues: { title, defaultRegion, defaultLanguage },
    input: (values) => ({ id, ...values, title: values.title.trim() }),
    send: async (input) => {
      await update.mutateAsync(input);
      toast.success("Application saved");
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Change ${title}`}
      description={
        <>
          Requests call it <code className="font-mono">{application.name}</code>; that stays. Its stages are
          under{" "}
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
      <TextField
        {...form.field("title")}
        label="Name"
        maxLength={120}
        required
        autoFocus
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field("defaultRegion")}
          label="Country"
          hint="Of numbers without a prefix"
          options={countryOptions}
        />
        <SelectField
          {...form.field("defaultLanguage")}
          label="Language"
          hint="Where a request names none"
          options={languageOptions}
        />
      </div>
    </FormDialog>
  );
}
