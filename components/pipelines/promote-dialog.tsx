"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import {
  promotionLimits,
  type BoardRow,
  type Board,
  type Promotion,
} from "../../server/pipelines/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { fieldErrors } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { gateDemands, gateTitles } from "./gates.ts";
import { ItemList } from "./item-list.tsx";
import { PromotionResult, PromotionResultActions } from "./promotion-result.tsx";
import { PromotionRefusal } from "./promotion-refusal.tsx";
import { canMove, openPromotion, type StagePair } from "./stages.ts";
import { useDifferingRows } from "./use-differing-rows.ts";

/** Shows what a promotion would change and what its stage will ask for, then requests it. */
export function PromoteDialog({
  pair,
  rows: chosen,
  pipeline,
  onClose,
  onCreated,
}: {
  pair: StagePair;
  /** Null: every template in which the two stages differ. */
  rows: readonly BoardRow[] | null;
  pipeline: Board["pipeline"];
  onClose: () => void;
  onCreated: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [note, setNote] = useState("");
  const [automatic, setAutomatic] = useState(true);
  const [result, setResult] = useState<Promotion | null>(null);
  const differing = useDifferingRows(pipeline.application, chosen === null);

  const create = useMutation(
    trpc.promotions.create.mutationOptions({
      onSuccess: async (promotion) => {
        setResult(promotion);
        onCreated();
        if (promotion.state === "deployed") {
          toast.success(`${plural(promotion.templates, "template")} live in ${pair.to.name}`);
        } else toast.success("Promotion requested");
        await Promise.all(
          [trpc.pipelines, trpc.promotions, trpc.templates].map((part) =>
            queryClient.invalidateQueries({ queryKey: part.pathKey() }),
          ),
        );
      },
      // What was shown may be older than what is: the next look is at the truth.
      onError: () => queryClient.invalidateQueries({ queryKey: trpc.pipelines.pathKey() }),
    }),
  );

  const rows = (chosen ?? differing.rows)?.filter((row) => canMove(row, pair));
  const busy = rows?.filter((row) => openPromotion(row, pair) !== null) ?? [];
  const free = rows?.filter((row) => openPromotion(row, pair) === null);
  const items = free?.filter((row) => !left.has(row.templateId));
  const over = (items?.length ?? 0) > promotionLimits.templates;
  const demands = gateDemands(pair.to);
  const asks = pair.to.gates.approvals > 0;

  if (result) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title={result.state === "deployed" ? `Live in ${pair.to.name}` : "Promotion requested"}
        className="max-w-xl"
        footer={<PromotionResultActions promotion={result} onClose={onClose} />}
      >
        <PromotionResult promotion={result} stage={pair.to} />
      </Dialog>
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Promote to ${pair.to.name}`}
      description={`${pipeline.title}: what is live in ${pair.from.name} also goes live in ${pair.to.name}, all of it or nothing.`}
      className="top-[6vh] max-h-[88vh] max-w-3xl"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={create.isPending}
            disabled={!items || items.length === 0 || over || create.isPending}
          >
            {asks ? "Request promotion" : "Promote"}
            {items && items.length > 0 ? ` of ${plural(items.length, "template")}` : ""}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid grid-cols-1 gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!items || items.length === 0) return;
          create.mutate({
            application: pipeline.application,
            to: pair.to.environmentId,
            templates: items.map((row) => ({
              templateId: row.templateId,
              version: row.stages[pair.index]?.version ?? undefined,
            })),
            note: note.trim() === "" ? undefined : note.trim(),
            automatic,
          });
        }}
      >
        {create.error ? <PromotionRefusal error={create.error} /> : null}
        {differing.error ? <PromotionRefusal error={differing.error} /> : null}
        <section aria-label="Templates">
          <h3 className="mb-1.5 text-sm font-medium">
            {items ? plural(items.length, "template") : "Templates"}
          </h3>
          {over ? (
            <p className="mb-2 text-sm text-danger-text">
              One promotion moves at most {plural(promotionLimits.templates, "template")}. Choose rows on the
              board instead.
            </p>
          ) : null}
          {items ? (
            items.length > 0 ? (
              <ItemList
                first={8}
                items={items.map((row) => ({
                  ...row,
                  version: row.stages[pair.index]?.version ?? 0,
                  previousVersion: row.stages[pair.index + 1]?.version ?? null,
                }))}
                onLeave={items.length > 1 ? (id) => setLeft(new Set([...left, id])) : undefined}
              />
            ) : (
              <p className="rounded-md border border-line bg-sunken px-3 py-2.5 text-sm text-ink-muted">
                {busy.length > 0
                  ? "Everything that differs is on its way in another promotion."
                  : "Nothing is left to promote."}
              </p>
            )
          ) : differing.error ? null : (
            <div className="grid gap-2" aria-busy>
              <Skeleton className="h-9 w-full" />
              <Skeleton className="h-9 w-full" />
              <Skeleton className="h-9 w-full" />
            </div>
          )}
          {busy.length > 0 && items && items.length > 0 ? (
            <p className="mt-2 text-xs text-ink-muted">
              {plural(busy.length, "template")} more {busy.length === 1 ? "is" : "are"} on the way to{" "}
              {pair.to.name} in another promotion and stay{busy.length === 1 ? "s" : ""} out of this one.
            </p>
          ) : null}
        </section>
        <section aria-label={`Gates of ${pair.to.name}`}>
          <h3 className="mb-1.5 text-sm font-medium">What {pair.to.name} asks for</h3>
          {demands.length === 0 ? (
            <p className="text-sm text-ink-muted">Nothing: the promotion takes effect at once.</p>
          ) : (
            <ul className="grid gap-1.5 text-sm">
              {demands.map(({ gate, demand }) => (
                <li key={gate} className="grid gap-x-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
                  <span className="font-medium">{gateTitles[gate]}</span>
                  <span className="text-ink-muted">{demand}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
        <Field
          label="Note"
          optional
          hint="What changes, and why. Whoever approves reads it."
          error={fieldErrors(create.error).note}
        >
          {(control) => (
            <Textarea
              {...control}
              value={note}
              onChange={(event) => setNote(event.target.value)}
              maxLength={promotionLimits.note}
              rows={3}
            />
          )}
        </Field>
        <CheckboxField
          label="Deploy as soon as every gate has passed"
          checked={automatic}
          onChange={setAutomatic}
        >
          Otherwise it waits until somebody deploys it by hand.
        </CheckboxField>
      </form>
    </Dialog>
  );
}
