"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Save } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { toast } from "sonner";
import type { Template } from "../../server/templates/schemas.ts";
import { useRemembered } from "../data-table/use-remembered.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { Field, FormError } from "../ui/field.tsx";
import { Input, inputStyle } from "../ui/input.tsx";
import { AudienceFields } from "./audience-fields.tsx";
import { contentOf, draftOf, emptyDraft, type Draft } from "./draft.ts";
import { PreviewPane } from "./preview/preview-pane.tsx";
import { VariablesEditor } from "./variables-editor.tsx";

/**
 * Writes a new template, or the next version of `template`. What is typed is kept in this browser until it is
 * saved or discarded, so a reload or a refused save loses nothing.
 */
export function TemplateEditor({ template }: { template?: Template }) {
  const { applications, href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [stored, store] = useRemembered<Draft | null>(`template-draft:${template?.id ?? "new"}`, null);
  const initial = template ? draftOf(template) : emptyDraft(applications[0]?.name ?? "", "");
  const draft = stored ? { ...initial, ...stored } : initial;
  const change = (next: Partial<Draft>) => store({ ...draft, ...next });

  async function saved(result: Template) {
    store(null);
    await queryClient.invalidateQueries({ queryKey: trpc.templates.pathKey() });
    toast.success(
      template
        ? `Version ${result.latestVersion} of ${result.name} saved, live in the first stage`
        : `Template ${result.name} made`,
    );
    router.push(href(`/templates/${result.id}`));
  }
  const create = useMutation(trpc.templates.create.mutationOptions({ onSuccess: saved }));
  const update = useMutation(trpc.templates.update.mutationOptions({ onSuccess: saved }));
  const pending = create.isPending || update.isPending;
  const error = create.error ?? update.error;
  const wrong = fieldErrors(error);

  function save() {
    if (pending) return;
    const content = contentOf(draft);
    const note = draft.note.trim() === "" ? null : draft.note.trim();
    if (template) {
      update.mutate({ id: template.id, expectedVersion: template.latestVersion, ...content, note });
      return;
    }
    const [notificationType = "", notificationSubtype = ""] = draft.kind.split("/");
    create.mutate({
      application: draft.application,
      name: draft.name.trim(),
      channel: draft.channel,
      notificationType,
      notificationSubtype,
      region: draft.region || null,
      language: draft.language || null,
      ...content,
      note,
    });
  }
  useShortcut("mod+s", save, { label: "Save" });

  const dirty = stored !== null;
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [dirty]);

  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <form
        className="grid min-w-0 grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {error ? (
          <FormError title={errorText(error)}>
            {Object.values(wrong).length > 0 ? (
              <ul>
                {Object.entries(wrong).map(([field, detail]) => (
                  <li key={field}>
                    {field}: {detail}
                  </li>
                ))}
              </ul>
            ) : null}
          </FormError>
        ) : null}
        {template ? null : <AudienceFields draft={draft} onChange={change} problems={wrong} />}
        <Card>
          <CardHeader title="Text" description="Liquid; every variable it uses is declared below" />
          <div className="grid grid-cols-1 gap-4 px-4 pb-4">
            {draft.channel === "email" ? (
              <Field label="Subject" error={wrong.subject}>
                {(control) => (
                  <Input
                    {...control}
                    value={draft.subject}
                    onChange={(event) => change({ subject: event.target.value })}
                    required
                    autoComplete="off"
                  />
                )}
              </Field>
            ) : null}
            <Field label={draft.channel === "email" ? "Body (HTML)" : "Body"} error={wrong.body}>
              {(control) => (
                <textarea
                  {...control}
                  value={draft.body}
                  onChange={(event) => change({ body: event.target.value })}
                  rows={draft.channel === "email" ? 18 : 7}
                  spellCheck={draft.channel !== "email"}
                  required
                  className={cn(inputStyle, "px-3 py-2 font-mono text-base leading-5 sm:text-xs")}
                />
              )}
            </Field>
          </div>
        </Card>
        <Card>
          <CardHeader title="Variables" />
          <div className="px-4 pb-4">
            <VariablesEditor draft={draft} onChange={(variables) => change({ variables })} />
          </div>
        </Card>
        <Card className="px-4 py-4">
          <Field label="What does this version change?" optional error={wrong.note}>
            {(control) => (
              <Input
                {...control}
                value={draft.note}
                onChange={(event) => change({ note: event.target.value })}
                maxLength={1000}
                autoComplete="off"
              />
            )}
          </Field>
        </Card>
        <div className="flex items-center justify-end gap-2">
          {dirty ? (
            <Button variant="ghost" onClick={() => store(null)}>
              Discard changes
            </Button>
          ) : null}
          <Button type="submit" variant="primary" size="lg" pending={pending} disabled={!dirty}>
            <Save aria-hidden /> {template ? "Save as a new version" : "Make template"}
          </Button>
        </div>
      </form>
      <div className="min-w-0 lg:sticky lg:top-6">
        <PreviewPane draft={draft} known={template} onBodyChange={(body) => change({ body })} />
      </div>
    </div>
  );
}
