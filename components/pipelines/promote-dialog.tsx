"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useController } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import {
  promotionCreateSchema,
  type BoardRow,
  type Board,
  type Promotion,
} from "../../server/pipelines/schemas.ts";
import { promotionLimits } from "../../server/pipelines/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { gateDemands, gateTitles } from "./gates.ts";
import { ItemList } from "./item-list.tsx";
import { PromotionResult, PromotionResultActions } from "./promotion-result.tsx";
import { PromotionRefusal } from "./promotion-refusal.tsx";
import { movableRows, type StagePair } from "./stages.ts";
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
  const refresh = useRefresh("pipelines", "promotions", "templates");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [result, setResult] = useState<Promotion | null>(null);
  const differing = useDifferingRows(pipeline.application, pair, chosen === null);
  // What was shown may be older than what is: the next look is at the truth.
  const create = useMutation(trpc.promotions.create.mutationOptions({ onError: refresh }));

  const rows = chosen ?? differing.rows;
  const { free, busy } = movableRows(rows ?? [], pair);
  const items = rows && free.filter((row) => !left.has(row.templateId));
  const over = (items?.length ?? 0) > promotionLimits.templates;
  const demands = gateDemands(pair.to);
  const asks = pair.to.gates.approvals > 0;

  const form = useOperationForm({
    schema: promotionCreateSchema,
    defaultValues: { note: "", automatic: true },
    input: ({ note, automatic }) => ({
      application: pipeline.application,
      to: pair.to.environmentId,
      templates: (items ?? []).map((row) => ({
        templateId: row.templateId,
        version: row.stages[pair.index]?.version ?? undefined,
      })),
      note: note.trim() || undefined,
      automatic,
    }),
    send: async (input) => {
      const promotion = await create.mutateAsync(input);
      setResult(promotion);
      onCreated();
      toast.success(
        promotion.state === "deployed"
          ? `${plural(promotion.templates, "template")} live in ${pair.to.name}`
          : "Promotion requested",
      );
      await refresh();
    },
  });
  const automatic = useController(form.field("automatic")).field;

  return (
    <FormDialog
      form={form}
      title={
        !result
          ? `Promote to ${pair.to.name}`
          : result.state === "deployed"
            ? `Live in ${pair.to.name}`
            : "Promotion requested"
      }
      description={
        result
          ? undefined
          : `${pipeline.title}: what is live in ${pair.from.name} also goes live in ${pair.to.name}, all of it or nothing.`
      }
      className={result ? "max-w-xl" : "top-[6vh] max-h-[88vh] max-w-3xl"}
      formClassName="grid grid-cols-1 gap-5"
      submitLabel={
        <>
          {asks ? "Request promotion" : "Promote"}
          {items && items.length > 0 ? ` of ${plural(items.length, "template")}` : ""}
        </>
      }
      disabled={!items || items.length === 0 || over}
      refused={(error) => <PromotionRefusal error={error} />}
      result={
        result && {
          body: <PromotionResult promotion={result} stage={pair.to} />,
          footer: <PromotionResultActions promotion={result} onClose={onClose} />,
        }
      }
      onClose={onClose}
    >
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
                ? "All differences are already part of another promotion."
                : "Nothing to promote."}
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
        <h3 className="mb-1.5 text-sm font-medium">Gates of {pair.to.name}</h3>
        {demands.length === 0 ? (
          <p className="text-sm text-ink-muted">No gates. The promotion takes effect immediately.</p>
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
      <TextareaField
        {...form.field("note")}
        label="Note"
        optional
        hint="What changes and why. Approvers read it."
        maxLength={promotionLimits.note}
        rows={3}
      />
      <CheckboxField
        label="Deploy as soon as every gate has passed"
        checked={automatic.value}
        onChange={automatic.onChange}
      >
        Otherwise someone has to deploy it.
      </CheckboxField>
    </FormDialog>
  );
}
