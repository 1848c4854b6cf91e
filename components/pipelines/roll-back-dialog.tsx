"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import { promotionLimits, type Promotion } from "../../server/pipelines/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode, fieldErrors } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { PromotionRefusal } from "./promotion-refusal.tsx";
import { usePromotionChanged } from "./use-promotion-changed.ts";

/** Puts back what a promotion replaced; what moved since is named, and overridden only by naming the stage. */
export function RollBackDialog({
  promotion,
  to,
  onClose,
}: {
  promotion: Promotion;
  /** Name of the stage. */
  to: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const formId = useId();
  const changed = usePromotionChanged();
  const [note, setNote] = useState("");
  const [typed, setTyped] = useState("");
  const rollBack = useMutation(
    trpc.promotions.rollBack.mutationOptions({
      onSuccess: async () => {
        onClose();
        toast.success(`Rolled back: ${to} has what it had before`);
        await changed();
      },
      onError: changed,
    }),
  );
  const moved = errorCode(rollBack.error) === "promotion_conflict";
  const named = typed.trim() === to;

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Roll back ${plural(promotion.templates, "template")} in ${to}?`}
      description={`${to} gets back exactly the versions that this promotion replaced, all at once. Messages that were accepted already keep their version.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            disabled={rollBack.isPending || (moved && !named)}
            pending={rollBack.isPending}
          >
            {moved ? "Roll back anyway" : "Roll back"}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (moved && !named) return;
          rollBack.mutate({
            id: promotion.id,
            note: note.trim() === "" ? undefined : note.trim(),
            force: moved,
          });
        }}
      >
        {rollBack.error ? <PromotionRefusal error={rollBack.error} /> : null}
        <Field label="Why" optional error={fieldErrors(rollBack.error).note}>
          {(control) => (
            <Textarea
              {...control}
              value={note}
              onChange={(event) => setNote(event.target.value)}
              maxLength={promotionLimits.note}
              placeholder="What went wrong"
              autoFocus
            />
          )}
        </Field>
        {moved ? (
          <Field
            label={
              <>
                Type <strong className="font-semibold">{to}</strong> to overwrite the newer versions as well
              </>
            }
          >
            {(control) => (
              <Input
                {...control}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
              />
            )}
          </Field>
        ) : null}
      </form>
    </Dialog>
  );
}
