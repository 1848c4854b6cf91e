"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useWatch } from "react-hook-form";
import { toast } from "../../ui/toast.ts";
import { templateDuplicateSchema } from "../../../server/templates/schemas.ts";
import { channelLabel, channels } from "../../messages/channel.tsx";
import { usePortal, usePortalData } from "../../portal/portal-context.tsx";
import { withChosen } from "../../portal/with-chosen.ts";
import { useTRPC } from "../../trpc/client.tsx";
import { Button } from "../../ui/button.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { FormField, SelectField, TextField } from "../../ui/form-fields.tsx";
import { Link } from "../../ui/link.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { useOperationForm } from "../../ui/use-operation-form.ts";
import { audienceText } from "../audience.ts";
import { newTemplatePath } from "./new-template-path.ts";
import type { TemplateFacts } from "./types.ts";
import { PlaceField } from "../../ui/place-input.tsx";

/** Asks for whom the copy of a template is, and makes it. */
export function DuplicateDialog({
  template,
  onClose,
  onDone,
}: {
  template: TemplateFacts;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const { applications, canIn, href } = usePortal();
  const { applications: all } = usePortalData();
  const writable = withChosen(
    applications.filter((each) => canIn("templates:write", each.unitId)),
    all,
    template.application,
  );
  const router = useRouter();
  const trpc = useTRPC();
  const empty = (text: string) => text.trim() || null;
  const needsSubject = (channel: string) => channel === "email" && template.channel !== "email";
  const duplicate = useMutation(trpc.templates.duplicate.mutationOptions());
  const form = useOperationForm({
    schema: templateDuplicateSchema,
    defaultValues: {
      application: template.application,
      name: template.name,
      channel: template.channel,
      region: template.region ?? "",
      language: template.language ?? "",
      provider: template.provider ?? "",
      subject: "",
    },
    input: ({ name, region, language, provider, subject, ...place }) => ({
      id: template.id,
      ...place,
      name: name.trim(),
      region: empty(region),
      language: empty(language),
      provider: empty(provider),
      ...(needsSubject(place.channel) ? { subject } : {}),
    }),
    send: async (input) => {
      const copy = await duplicate.mutateAsync(input);
      onClose();
      toast.success(`Copied for ${channelLabel(copy.channel)}, ${audienceText(copy)}`, {
        description: "Version 1 is live in the first stage and in the sandbox.",
      });
      await onDone();
      router.push(href(`/templates/${copy.id}`));
    },
  });
  const target = { ...form.getValues(), ...useWatch({ control: form.control }) };
  // Two templates cannot serve the same audience, whatever their names.
  const sameAudience =
    target.application === template.application &&
    target.channel === template.channel &&
    empty(target.region) === template.region &&
    empty(target.language) === template.language &&
    empty(target.provider) === template.provider;

  return (
    <FormDialog
      form={form}
      title={`Duplicate ${template.name}`}
      description={`Copies the latest text for ${channelLabel(template.channel)}, ${audienceText(template)} to a new template. Choose its audience.`}
      formClassName="grid gap-4 sm:grid-cols-2"
      aside={
        <Button asChild variant="ghost" className="mr-auto">
          <Link href={href(...newTemplatePath({ ...template, ...target, from: template.id }))}>
            Open in the editor
          </Link>
        </Button>
      }
      submitLabel="Duplicate"
      disabled={sameAudience}
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        className="sm:col-span-2"
        required
        autoComplete="off"
        spellCheck={false}
      />
      {writable.length > 1 ? (
        <SelectField
          {...form.field("application")}
          label="Application"
          className="sm:col-span-2"
          options={writable.map((each) => ({ value: each.name, label: each.title }))}
        />
      ) : null}
      <FormField {...form.field("channel")} label="Channel" className="sm:col-span-2">
        {(ids, field) => (
          <div id={ids.id}>
            <Segmented
              label="Channel"
              value={field.value}
              onValueChange={field.onChange}
              options={channels.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
            />
            {field.value === template.channel ? null : (
              <p className="mt-1.5 text-xs text-ink-muted">
                Text and variables are copied; what belongs to {channelLabel(template.channel)} alone is not.
              </p>
            )}
          </div>
        )}
      </FormField>
      {needsSubject(target.channel) ? (
        <TextField {...form.field("subject")} label="Subject" className="sm:col-span-2" required />
      ) : null}
      <PlaceField
        {...form.field("region")}
        kind="region"
        label="Region"
        none={{ value: "", label: "Any region" }}
      />
      <PlaceField
        {...form.field("language")}
        kind="language"
        label="Language"
        none={{ value: "", label: "Any language" }}
      />
      <TextField
        {...form.field("provider")}
        label="Provider"
        optional
        hint="Empty: any"
        className="sm:col-span-2"
        clean={(typed) => typed.toLowerCase()}
        placeholder="twilio"
        autoComplete="off"
      />
    </FormDialog>
  );
}
