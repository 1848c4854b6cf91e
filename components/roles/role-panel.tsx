"use client";

import { useMutation } from "@tanstack/react-query";
import { Copy, Pencil, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { permissionTexts } from "../../server/access/vocabulary.ts";
import type { ListedRole } from "../members/use-grantable.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { named } from "../ui/isolated.ts";
import { RoleHolders } from "./role-holders.tsx";

const RoleDialog = dynamic(() => import("./role-dialog.tsx").then((module) => module.RoleDialog));

/** One role beside the list: what it lets somebody do, who has it, and how it is changed. */
export function RolePanel({
  role,
  mayChange,
  onDuplicate,
  onClose,
}: {
  role: ListedRole;
  mayChange: boolean;
  onDuplicate: () => void;
  onClose: () => void;
}) {
  const { canIn } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("roles");
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  useShortcut("Escape", onClose, { label: "Close panel", enabled: asked === null });
  const remove = useMutation(
    trpc.roles.delete.mutationOptions({
      onSuccess: async () => {
        toast.success(`“${role.name}” was deleted`);
        onClose();
        await refresh();
      },
      onError: async (error) => {
        setAsked(null);
        toast.error(errorText(error));
        await refresh();
      },
    }),
  );
  const beyond = !role.permissions.every((permission) => canIn(permission, null));
  const isHeld =
    role.held !== null && role.held.members + role.held.keys + role.held.invitations + role.held.groups > 0;

  return (
    <>
      <Sheet
        open
        onClose={onClose}
        title={named(role.name)}
        subtitle={
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone="outline">{role.builtIn ? "Built in" : "Custom"}</Badge>
            {role.description}
          </span>
        }
      >
        {mayChange ? (
          <div className="flex flex-wrap gap-2 border-b border-line px-5 py-3">
            {role.builtIn ? null : (
              <Button size="sm" disabled={beyond} onClick={() => setAsked("edit")}>
                <Pencil aria-hidden /> Change…
              </Button>
            )}
            <Button size="sm" onClick={onDuplicate}>
              <Copy aria-hidden /> Duplicate…
            </Button>
            {role.builtIn ? null : (
              <Button size="sm" disabled={beyond} onClick={() => setAsked("delete")}>
                <Trash2 aria-hidden /> Delete…
              </Button>
            )}
            {beyond && !role.builtIn ? (
              <p className="w-full text-xs text-ink-muted">
                It has permissions that you don't have, so you can't change or delete it.
              </p>
            ) : null}
          </div>
        ) : null}
        <Section title="Permissions">
          <ul className="grid gap-2.5">
            {role.permissions.map((permission) => (
              <li key={permission} className="text-sm">
                <p className="font-medium">{permissionTexts[permission].name}</p>
                <p className="text-xs text-ink-muted">{permissionTexts[permission].explanation}</p>
              </li>
            ))}
          </ul>
        </Section>
        {role.held ? (
          <Section title="Who has it">
            <RoleHolders roleKey={role.key} />
          </Section>
        ) : null}
      </Sheet>
      {asked === "edit" ? (
        <RoleDialog role={role} onClose={() => setAsked(null)} onSaved={() => setAsked(null)} />
      ) : null}
      {asked === "delete" && isHeld ? (
        <Dialog
          open
          onClose={() => setAsked(null)}
          title={`“${role.name}” is still assigned`}
          description="Assign another role to everyone who has it first."
          footer={
            <Button variant="primary" onClick={() => setAsked(null)}>
              Close
            </Button>
          }
        >
          <RoleHolders roleKey={role.key} />
        </Dialog>
      ) : (
        <ConfirmDialog
          open={asked === "delete"}
          onClose={() => setAsked(null)}
          title={`Delete “${role.name}”?`}
          confirmLabel="Delete role"
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ key: role.key })}
        >
          Nobody has it. The audit trail keeps a record of it.
        </ConfirmDialog>
      )}
    </>
  );
}
