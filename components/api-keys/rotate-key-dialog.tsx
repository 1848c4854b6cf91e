"use client";

import { useMutation } from "@tanstack/react-query";
import { rotateApiKeySchema, type ApiKeySummary } from "../../server/access/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { endOf, lifetimes } from "./create-key-dialog.tsx";

const overlaps = [
  { value: "0", label: "Not at all" },
  { value: "3600", label: "For an hour" },
  { value: "86400", label: "For a day" },
  { value: "604800", label: "For a week" },
] as const;

const same = "same";

/** Replaces a key by a new one with the same permissions and limits, and hands its text over once. */
export function RotateKeyDialog({
  apiKey,
  onClose,
  onRotated,
}: {
  apiKey: ApiKeySummary;
  onClose: () => void;
  onRotated: (secret: string) => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("apiKeys");
  const rotate = useMutation(trpc.apiKeys.rotate.mutationOptions());
  const form = useOperationForm({
    schema: rotateApiKeySchema,
    defaultValues: {
      overlapSeconds: "86400",
      // Rotated because it ends soon: the next one should live on.
      expiresAt: apiKey.expiresAt === null ? "never" : "90",
    },
    input: ({ overlapSeconds, expiresAt }) => ({
      id: apiKey.id,
      overlapSeconds: Number(overlapSeconds),
      expiresAt: expiresAt === same ? undefined : endOf(expiresAt),
    }),
    send: async (input) => {
      const created = await rotate.mutateAsync(input);
      onClose();
      onRotated(created.key);
      await refresh();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Rotate “${apiKey.name}”?`}
      description="A new key with the same permissions, networks and limits replaces it. You become its owner."
      submitLabel="Rotate key"
      onClose={onClose}
    >
      <SelectField
        {...form.field("overlapSeconds")}
        label="Keep the old key working"
        hint="Gives the application time to switch."
        options={overlaps}
      />
      <SelectField
        {...form.field("expiresAt")}
        label="The new key expires"
        options={
          apiKey.expiresAt === null
            ? lifetimes
            : [{ value: same, label: "When the old one would have" }, ...lifetimes.slice(1)]
        }
      />
    </FormDialog>
  );
}
