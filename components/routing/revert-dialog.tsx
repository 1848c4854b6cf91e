"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { z } from "zod";
import { revertSchema, type Revision } from "../../server/routing/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorMember, errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormError } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";

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
  const changed = useRefresh("routing");
  // Refused for somebody else's change: the next try is of how the rules are now.
  const revert = useMutation(useTRPC().routing.revert.mutationOptions({ onError: changed }));
  const missing = missingSchema.safeParse(errorMember(revert.error, "missing"));
  const form = useOperationForm({
    schema: revertSchema,
    defaultValues: { note: "" },
    input: ({ note }) => ({
      revision: current,
      dropMissing: missing.success,
      note: note.trim() || undefined,
    }),
    send: async (input) => {
      const { revision: now, dropped } = await revert.mutateAsync({
        environmentId: environment.id,
        number: revision.number,
        ...input,
      });
      await changed();
      toast.success(`Reverted to revision ${String(revision.number)}, as revision ${String(now)}`, {
        description:
          dropped.length > 0
            ? `Left out: ${dropped.map((each) => each.connection ?? `rule “${each.rule}”`).join(", ")}.`
            : "Takes effect within two seconds.",
      });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Revert to revision ${String(revision.number)}?`}
      description={`Its ${plural(revision.rules, "rule")} replace the current ones in ${environment.name} as a new revision. The history is kept.`}
      submitLabel={missing.success ? "Revert without them" : "Revert"}
      cancelLabel="Keep current rules"
      refused={(error) =>
        missing.success ? (
          <FormError title="Some of it can't be restored">
            <ul className="list-disc pl-4">
              {missing.data.map((each, index) => (
                <li key={index}>
                  {each.rule}: {each.connection ? `${each.connection}, ` : ""}
                  {each.why}
                </li>
              ))}
            </ul>
          </FormError>
        ) : (
          <FormError title="Rules were not changed">{errorText(error)}</FormError>
        )
      }
      onClose={onClose}
    >
      <TextField
        {...form.field("note")}
        label="Note"
        optional
        maxLength={500}
        placeholder="Why you are reverting"
      />
    </FormDialog>
  );
}
