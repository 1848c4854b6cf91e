"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { z } from "zod";
import type { Revision } from "../../server/routing/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorMember, errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { useRoutingChanged } from "./use-rules.ts";

const missingSchema = z.array(
  z.object({ rule: z.string(), connection: z.string().nullable(), why: z.string() }),
);

/** Asks before the rules of an earlier revision are brought back, and whether to do without what is gone. */
export function RevertDialog({
  revision,
  current,
  onClose,
}: {
  revision: Revision;
  current: number;
  onClose: () => void;
}) {
  const { environment } = usePortal();
  const [note, setNote] = useState("");
  const changed = useRoutingChanged();
  const revert = useMutation(
    useTRPC().routing.revert.mutationOptions({
      onSuccess: async (result) => {
        await changed();
        toast.success(`Back at revision ${String(revision.number)}, as revision ${String(result.revision)}`, {
          description:
            result.dropped.length > 0
              ? `Left out: ${result.dropped.map((each) => each.connection ?? `rule “${each.rule}”`).join(", ")}.`
              : "In force within two seconds.",
        });
        onClose();
      },
    }),
  );
  const missing = missingSchema.safeParse(errorMember(revert.error, "missing"));
  const go = (dropMissing: boolean) =>
    revert.mutate({
      environmentId: environment.id,
      number: revision.number,
      revision: current,
      dropMissing,
      ...(note.trim() === "" ? {} : { note: note.trim() }),
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Go back to revision ${String(revision.number)}?`}
      description={`Its ${plural(revision.rules, "rule")} take the place of those in force in ${environment.name}, as a new revision. What was changed since stays in the history.`}
      footer={
        <>
          <Button onClick={onClose}>Keep the rules</Button>
          <Button variant="primary" pending={revert.isPending} onClick={() => go(missing.success)}>
            {missing.success ? "Go back without them" : "Go back"}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {missing.success ? (
          <FormError title="Not everything of it can come back">
            <ul className="list-disc pl-4">
              {missing.data.map((each, index) => (
                <li key={index}>
                  {each.rule}: {each.connection ? `${each.connection}, ` : ""}
                  {each.why}
                </li>
              ))}
            </ul>
          </FormError>
        ) : revert.error ? (
          <FormError title="The rules stay as they are">{errorText(revert.error)}</FormError>
        ) : null}
        <Field label="Note" optional>
          {(control) => (
            <Input
              {...control}
              value={note}
              onChange={(event) => setNote(event.target.value)}
              maxLength={500}
              placeholder="Why you go back"
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
