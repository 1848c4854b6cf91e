"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Pipeline, Stage } from "../../server/pipelines/schemas.ts";
import { defaultGates } from "../../server/tenancy/vocabulary.ts";
import { EnvironmentSwatch } from "../layout/environment-mark.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { SaveRefused } from "../settings/save-refused.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { UnsavedBar } from "../ui/unsaved-bar.tsx";
import { StageCard } from "./stage-card.tsx";
import { Form } from "../ui/form.tsx";
import { named } from "../ui/isolated.ts";

const maxStages = 10;

/** The stages of one application as a form: add, remove, move and gate them, then save all of it at once. */
export function StageComposer({ pipeline, editable }: { pipeline: Pipeline; editable: boolean }) {
  const { environments } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  // null: as saved, also when somebody else saves.
  const [edited, setEdited] = useState<{ stages: readonly Stage[]; revision: string } | null>(null);
  const stages = edited?.stages ?? pipeline.stages;
  const setDraft = (next: readonly Stage[]) =>
    // Saved against what was read at the first change, so that nobody else's change is lost.
    setEdited({ stages: next, revision: edited?.revision ?? pipeline.revision });
  const [announcement, setAnnouncement] = useState("");
  const dirty = JSON.stringify(stages) !== JSON.stringify(pipeline.stages);
  const unused = environments.filter(
    (each) => each.kind !== "sandbox" && !stages.some((stage) => stage.environmentId === each.id),
  );
  const removed = pipeline.stages.filter(
    (stage) => !stages.some((each) => each.environmentId === stage.environmentId),
  );

  const save = useMutation(
    trpc.pipelines.update.mutationOptions({
      onSuccess: async (saved) => {
        queryClient.setQueryData(trpc.pipelines.list.queryKey(), (known) =>
          known
            ? { data: known.data.map((each) => (each.applicationId === saved.applicationId ? saved : each)) }
            : known,
        );
        setEdited(null);
        if (saved.proposal) toast.info("It asks for less than before, so another person has to confirm it");
        else toast.success(`Pipeline of ${named(pipeline.title)} saved`);
        await queryClient.invalidateQueries({ queryKey: trpc.pipelines.pathKey() });
        // The order of stages also comes with the page, for every part of the portal.
        router.refresh();
      },
    }),
  );

  const discard = () => {
    setEdited(null);
    save.reset();
  };

  function change(index: number, gates: Stage["gates"]) {
    setDraft(stages.map((stage, at) => (at === index ? { ...stage, gates } : stage)));
  }
  function move(index: number, step: 1 | -1) {
    const next = [...stages];
    const [stage] = next.splice(index, 1);
    if (!stage) return;
    next.splice(index + step, 0, stage);
    setDraft(next);
    setAnnouncement(`${stage.name} is now stage ${index + step + 1} of ${stages.length}`);
  }

  return (
    <Form
      aria-label={`Stages of ${pipeline.title}`}
      onSubmit={() => {
        if (!dirty) return;
        save.mutate({
          application: pipeline.application,
          stages: stages.map((stage) => ({ environment: stage.environmentId, gates: stage.gates })),
          revision: edited?.revision,
        });
      }}
    >
      <fieldset disabled={save.isPending} className="contents">
        {save.error ? (
          <div className="mb-4">
            <SaveRefused
              error={save.error}
              changed="Someone else has changed the pipeline"
              unsaved="The pipeline was not saved"
              again="Reload"
              onAgain={() => {
                discard();
                void queryClient.invalidateQueries({ queryKey: trpc.pipelines.pathKey() });
              }}
            />
          </div>
        ) : null}
        <p className="sr-only" aria-live="polite">
          {announcement}
        </p>
        <ol className="grid grid-cols-1 gap-3">
          {stages.map((stage, index) => (
            <StageCard
              key={stage.environmentId}
              stage={stage}
              position={index}
              count={stages.length}
              editable={editable}
              onGates={(gates) => change(index, gates)}
              onMove={(step) => move(index, step)}
              onRemove={() => {
                setDraft(stages.filter((each) => each !== stage));
                setAnnouncement(`${stage.name} removed`);
              }}
            />
          ))}
        </ol>
        {editable ? (
          <p className="mt-3 text-sm text-ink-muted">
            Promotions in progress keep their gates. Changes that loosen gates need confirmation by a second
            person who can change pipelines.
          </p>
        ) : null}
        {editable ? (
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <DropdownMenu>
              <DropdownMenuTrigger asChild>
                <Button disabled={unused.length === 0 || stages.length >= maxStages}>
                  <Plus aria-hidden /> Add stage
                </Button>
              </DropdownMenuTrigger>
              <DropdownMenuContent align="start">
                {unused.map((each) => (
                  <DropdownMenuItem
                    key={each.id}
                    onSelect={() => {
                      if (each.kind === "sandbox") return;
                      const { id: environmentId, slug: environment, name, kind } = each;
                      setDraft([
                        ...stages,
                        { environmentId, environment, name, kind, gates: defaultGates(kind) },
                      ]);
                      setAnnouncement(`${name} added as the last stage`);
                    }}
                  >
                    <EnvironmentSwatch kind={each.kind} />
                    {each.name}
                  </DropdownMenuItem>
                ))}
              </DropdownMenuContent>
            </DropdownMenu>
            {unused.length === 0 ? (
              <p className="text-xs text-ink-muted">
                All environments except the sandbox are stages already.
              </p>
            ) : null}
          </div>
        ) : (
          <p className="mt-3 text-sm text-ink-muted">You can view the stages but not change them.</p>
        )}
      </fieldset>
      {dirty ? (
        <UnsavedBar saveLabel="Save stages" pending={save.isPending} onDiscard={discard}>
          {removed.length > 0
            ? `${removed.map((stage) => stage.name).join(", ")} leaves the pipeline. What is live there stays live.`
            : "Not saved yet."}
        </UnsavedBar>
      ) : null}
    </Form>
  );
}
