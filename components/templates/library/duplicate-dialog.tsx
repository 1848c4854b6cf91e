"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { toast } from "sonner";
import { channelLabel, channels } from "../../messages/channel.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { errorText, fieldErrors } from "../../trpc/error-text.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, FormError } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Select } from "../../ui/select.tsx";
import { audienceText } from "../audience.ts";
import { newTemplatePath } from "./new-template-path.ts";
import type { TemplateFacts } from "./types.ts";

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
  const { applications, href } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const formId = useId();
  const [target, setTarget] = useState({
    application: template.application,
    name: template.name,
    channel: template.channel,
    region: template.region ?? "",
    language: template.language ?? "",
    provider: template.provider ?? "",
    subject: "",
  });
  const change = (next: Partial<typeof target>) => setTarget((now) => ({ ...now, ...next }));
  const empty = (text: string) => (text.trim() === "" ? null : text.trim());
  // Two templates cannot serve the same audience, whatever their names.
  const sameAudience =
    target.application === template.application &&
    target.channel === template.channel &&
    empty(target.region) === template.region &&
    empty(target.language) === template.language &&
    empty(target.provider) === template.provider;
  const needsSubject = target.channel === "email" && template.channel !== "email";

  const duplicate = useMutation(
    trpc.templates.duplicate.mutationOptions({
      onSuccess: async (copy) => {
        onClose();
        toast.success(`Copied for ${channelLabel(copy.channel)}, ${audienceText(copy)}`, {
          description: "Version 1 is live in the first stage and in the sandbox.",
        });
        await onDone();
        router.push(href(`/templates/${copy.id}`));
      },
    }),
  );
  const problems = fieldErrors(duplicate.error);
  const known = new Set(Object.keys(target));
  const elsewhere = duplicate.error !== null && !Object.keys(problems).some((field) => known.has(field));

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Duplicate ${template.name}`}
      description={`The latest text for ${channelLabel(template.channel)}, ${audienceText(template)}, as a template of its own. Choose whom the copy is for.`}
      footer={
        <>
          <Button asChild variant="ghost" className="mr-auto">
            <Link href={href(...newTemplatePath({ ...template, ...target, from: template.id }))}>
              Open in the editor
            </Link>
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={duplicate.isPending}
            disabled={sameAudience}
          >
            Duplicate
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          duplicate.mutate({
            id: template.id,
            application: target.application,
            name: target.name.trim(),
            channel: target.channel,
            region: empty(target.region),
            language: empty(target.language),
            provider: empty(target.provider),
            ...(needsSubject ? { subject: target.subject } : {}),
          });
        }}
      >
        {elsewhere ? (
          <div className="sm:col-span-2">
            <FormError title={errorText(duplicate.error)}>
              {Object.values(problems).map((problem) => (
                <p key={problem}>{problem}</p>
              ))}
            </FormError>
          </div>
        ) : null}
        <Field label="Name" error={problems.name} className="sm:col-span-2">
          {(control) => (
            <Input
              {...control}
              value={target.name}
              onChange={(event) => change({ name: event.target.value })}
              required
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        {applications.length > 1 ? (
          <Field label="Application" error={problems.application} className="sm:col-span-2">
            {(control) => (
              <Select
                id={control.id}
                value={target.application}
                onValueChange={(application) => change({ application })}
                options={applications.map((each) => ({ value: each.name, label: each.title }))}
              />
            )}
          </Field>
        ) : null}
        <Field label="Channel" error={problems.channel} className="sm:col-span-2">
          {(control) => (
            <div id={control.id}>
              <Segmented
                label="Channel"
                value={target.channel}
                onValueChange={(channel) => change({ channel })}
                options={channels.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
              />
              {target.channel === template.channel ? null : (
                <p className="mt-1.5 text-xs text-ink-muted">
                  Text and variables are copied; what belongs to {channelLabel(template.channel)} alone is
                  not.
                </p>
              )}
            </div>
          )}
        </Field>
        {needsSubject ? (
          <Field label="Subject" error={problems.subject} className="sm:col-span-2">
            {(control) => (
              <Input
                {...control}
                value={target.subject}
                onChange={(event) => change({ subject: event.target.value })}
                required
              />
            )}
          </Field>
        ) : null}
        <Field label="Region" optional hint="Empty: any" error={problems.region}>
          {(control) => (
            <Input
              {...control}
              value={target.region}
              onChange={(event) => change({ region: event.target.value.toUpperCase().slice(0, 2) })}
              placeholder="DE"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Language" optional hint="Empty: any" error={problems.language}>
          {(control) => (
            <Input
              {...control}
              value={target.language}
              onChange={(event) => change({ language: event.target.value.toLowerCase().slice(0, 2) })}
              placeholder="en"
              autoComplete="off"
            />
          )}
        </Field>
        <Field
          label="Provider"
          optional
          hint="Empty: any"
          error={problems.provider}
          className="sm:col-span-2"
        >
          {(control) => (
            <Input
              {...control}
              value={target.provider}
              onChange={(event) => change({ provider: event.target.value.toLowerCase() })}
              placeholder="twilio"
              autoComplete="off"
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
