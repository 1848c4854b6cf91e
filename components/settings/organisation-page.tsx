"use client";

import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { QuotaCard } from "./quota-card.tsx";
import { SettingsHeader } from "./settings-frame.tsx";

const RenameDialog = dynamic(() => import("./rename-dialog.tsx").then((module) => module.RenameDialog));

/** The names of the organisation. */
export function OrganisationPage() {
  const { tenant } = usePortal();
  const trpc = useTRPC();
  const rename = useMutation(trpc.tenancy.updateOrganisation.mutationOptions());
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      <SettingsHeader path="/organisation" />
      <div className="grid grid-cols-1 gap-4">
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
                        Used to sign in and in portal links, so it can't be changed.
                      </span>
                    </>
                  ),
                },
                { label: "ID", value: <CopyableId value={tenant.id} label="Copy ID" /> },
              ]}
            />
          </div>
        </Card>
        <QuotaCard />
      </div>
      {renaming ? (
        <RenameDialog
          title="Rename organisation"
          name={tenant.name}
          rename={(name) => rename.mutateAsync({ name })}
          onClose={() => setRenaming(false)}
        />
      ) : null}
    </>
  );
}
