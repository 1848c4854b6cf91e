"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Send, TriangleAlert } from "lucide-react";
import { useWatch } from "react-hook-form";
import { toast } from "../../ui/toast.ts";
import { testSendSchema } from "../../../server/sending/schemas.ts";
import type { Template } from "../../../server/templates/schemas.ts";
import { useRemembered } from "../../data-table/use-remembered.ts";
import { EnvironmentSwatch, environmentKindLabel } from "../../layout/environment-mark.tsx";
import { usePortal, usePortalData } from "../../portal/portal-context.tsx";
import { VariableFields } from "../../send/variable-fields.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormRefusal, SelectField, TextField } from "../../ui/form-fields.tsx";
import { useOperationForm } from "../../ui/use-operation-form.ts";
import { useSampleSettings, useUsualPlace } from "../preview/use-sample-values.ts";
import { TestProgress } from "./test-progress.tsx";

/** Sends a saved version to oneself, through the real route of an environment, and shows how it fares. */
export function SendTestDialog({
  template,
  unsaved,
  open,
  onClose,
}: {
  /** With the version that is to be sent. */
  template: Template;
  /** The reader has changes that this version does not have. */
  unsaved: boolean;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Send ${template.name} to yourself`}
      description={`Sends version ${template.version} as saved, through the route of the chosen environment.`}
    >
      {open ? <TestForm template={template} unsaved={unsaved} /> : null}
    </Dialog>
  );
}

function TestForm({ template, unsaved }: { template: Template; unsaved: boolean }) {
  const { canIn } = usePortal();
  const { applications, environments, user } = usePortalData();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const byMail = template.channel === "email";
  const application = applications.find((each) => each.id === template.applicationId);
  const stages = (application?.stages ?? []).flatMap(
    (id) => environments.find((each) => each.id === id) ?? [],
  );
  const mayReal = canIn("notifications:send", application?.unitId ?? null);
  const choices = [...stages, ...environments.filter((each) => each.kind === "sandbox")].filter(
    (each) => each.kind !== "production" || mayReal,
  );
  const [phone, rememberPhone] = useRemembered(`own-phone:${user.id}`, "");
  const { settings, setValue } = useSampleSettings(template.id);
  const usual = useUsualPlace({
    application: template.application,
    language: template.language ?? "",
    region: template.region ?? "",
  });
  const values = Object.fromEntries(
    template.variables.map((variable) => [
      variable.name,
      settings.values[variable.name] ?? variable.example ?? variable.values?.[0] ?? "",
    ]),
  );

  const send = useMutation(trpc.notifications.sendTest.mutationOptions());
  const form = useOperationForm({
    schema: testSendSchema,
    defaultValues: { to: byMail ? user.email : phone, environment: choices[0]?.id ?? "" },
    input: ({ to, environment }) => ({
      version: template.version,
      environment,
      to: to.trim(),
      // What nobody changed is filled in there as it is for the preview.
      variables: Object.fromEntries(Object.entries(settings.values).filter(([name]) => name in values)),
      region: settings.region || usual.region || undefined,
      language: settings.language || usual.language,
    }),
    send: async (input) => {
      const sent = await send.mutateAsync({ templateId: template.id, ...input });
      if (sent.status === "rejected") toast.error("Not sent. See the reason below");
      else {
        if (!byMail) rememberPhone(input.to);
        toast.success(`Version ${sent.version} is on its way to you`);
      }
      await queryClient.invalidateQueries({ queryKey: trpc.notifications.list.pathKey() });
    },
    shownAt: { recipients: "to" },
  });
  const [to, chosen] = useWatch({ control: form.control, name: ["to", "environment"] });
  const environment = choices.find((each) => each.id === chosen);

  return (
    <div className="grid grid-cols-1 gap-4">
      {unsaved ? (
        <p className="flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          Unsaved changes are not included. This sends version {template.version} as saved.
        </p>
      ) : null}
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={form.submit}>
        {form.refusal ? <FormRefusal refusal={form.refusal} /> : null}
        <TextField
          {...form.field("to")}
          label={byMail ? "Your e-mail address" : "Your phone number"}
          hint={byMail ? undefined : "With country code, like +4915112345678; remembered in this browser"}
          type={byMail ? "email" : "tel"}
          required
          maxLength={320}
          autoComplete={byMail ? "email" : "tel"}
        />
        <SelectField
          {...form.field("environment")}
          label="Environment"
          hint={environment ? environmentKindLabel[environment.kind] : undefined}
          options={choices.map((each) => ({
            value: each.id,
            label: (
              <span className="inline-flex items-center gap-2">
                <EnvironmentSwatch kind={each.kind} />
                {each.name}
              </span>
            ),
          }))}
        />
        {template.variables.length > 0 ? (
          <fieldset>
            <legend className="mb-2 text-sm font-medium">Variables</legend>
            <VariableFields
              variables={template.variables}
              values={values}
              onChange={setValue}
              problems={{}}
            />
          </fieldset>
        ) : null}
        <Button
          type="submit"
          variant="primary"
          className="justify-self-start"
          pending={form.pending}
          disabled={!environment || to.trim() === ""}
        >
          <Send aria-hidden /> {send.data ? "Send again" : "Send to myself"}
        </Button>
      </form>
      {send.data ? <TestProgress key={send.data.notificationId} sent={send.data} /> : null}
    </div>
  );
}
