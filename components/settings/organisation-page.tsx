"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { updateOrganisationSchema } from "../../server/tenancy/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { SettingsHeader } from "./settings-frame.tsx";
import { useSetUpChanged } from "./use-set-up-changed.ts";

/** What the organisation is called. */
export function OrganisationPage() {
  const { tenant } = usePortal();
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <SettingsHeader path="/organisation" />
      <Card>
        <CardHeader
          title="Names"
          actions={
            <Button size="sm" onClick={() => setRenaming(true)}>
              Rename
            </Button>
          }
        />
        <div className="px-4 pb-4">
          <Facts
            items={[
              { label: "Name", value: tenant.name },
              {
                label: "Short name",
                value: (
                  <>
                    <code className="font-mono text-xs">{tenant.slug}</code>
                    <span className="mt-0.5 block text-xs text-ink-muted">
                      Members sign in with it, and links to the portal carry it: it stays.
                    </span>
                  </>
                ),
              },
              { label: "Id", value: <CopyableId value={tenant.id} label="Copy the id" /> },
            ]}
          />
        </div>
      </Card>
      {renaming ? <RenameOrganisation onClose={() => setRenaming(false)} /> : null}
    </>
  );
}

function RenameOrganisation({ onClose }: { onClose: () => void }) {
  const { tenant } = usePortal();
  const trpc = useTRPC();
  const changed = useSetUpChanged();
  const update = useMutation(trpc.tenancy.updateOrganisation.mutationOptions());
  const form = useOperationForm({
    schema: updateOrganisationSchema,
    defaultValues: { name: tenant.name },
    input: ({ name }) => ({ name: name.trim() }),
    send: async (input) => {
      await update.mutateAsync(input);
      toast.success("Name saved");
      onClose();
      await changed();
    },
  });
  return (
    <FormDialog form={form} title="Rename the organisation" submitLabel="Save" onClose={onClose}>
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoFocus autoComplete="off" />
    </FormDialog>
  );
}
