"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Power, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { ProviderDetail } from "../../server/connections/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../ui/dropdown-menu.tsx";
import { isolated, named } from "../ui/isolated.ts";
import { FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";

/** Switching a connection off and on, and deleting it. The simulator is the sandbox's and has neither. */
export function ConnectionActions({ connection }: { connection: ProviderDetail }) {
  const { href, environments } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState<"delete" | "disable" | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.providers.pathKey() });
  const change = useMutation(
    trpc.providers.update.mutationOptions({
      onSuccess: async (saved) => {
        setAsking(null);
        toast.success(saved.enabled ? `${named(saved.name)} is on` : `${named(saved.name)} is off`);
        await refresh();
      },
      onError: async (error) => {
        toast.error(errorText(error));
        // Changed by somebody else: the next try is of how it is now.
        await refresh();
      },
    }),
  );
  const remove = useMutation(
    trpc.providers.delete.mutationOptions({
      onSuccess: async () => {
        toast.success(`${named(connection.name)} deleted`);
        router.push(href("/providers"));
        await queryClient.invalidateQueries({ queryKey: trpc.providers.list.queryKey() });
      },
      // Rules that came since are named before it is tried again.
      onError: refresh,
    }),
  );
  if (connection.provider === "simulator") return null;
  const switchTo = (enabled: boolean) =>
    change.mutate({ id: connection.id, changes: { enabled, updatedAt: connection.updatedAt } });
  const stranded = connection.rules.filter((rule) => rule.unroutable);
  const environmentName = (slug: string) => environments.find((each) => each.slug === slug)?.name ?? slug;

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="icon" aria-label="More actions">
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem onSelect={() => (connection.enabled ? setAsking("disable") : switchTo(true))}>
            <Power aria-hidden /> {connection.enabled ? "Switch off" : "Switch on"}
          </DropdownMenuItem>
          {connection.platform ? null : (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuItem
                danger
                onSelect={() => {
                  remove.reset();
                  setAsking("delete");
                }}
              >
                <Trash2 aria-hidden /> Delete
              </DropdownMenuItem>
            </>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={asking === "disable"}
        onClose={() => setAsking(null)}
        title={`Switch ${named(connection.name)} off?`}
        confirmLabel="Switch off"
        pending={change.isPending}
        onConfirm={() => switchTo(false)}
      >
        <p>
          Nothing is sent through it. Receipts are still processed. You can switch it on again at any time.
        </p>
        <Stranded
          names={stranded.map(
            ({ name, environment }) => `${isolated(name)} (${environmentName(environment)})`,
          )}
        />
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "delete"}
        onClose={() => setAsking(null)}
        title={`Delete ${named(connection.name)}?`}
        confirmLabel="Delete connection"
        typeToConfirm={connection.name}
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate({
            id: connection.id,
            // What was shown here is what was agreed to: rules that came since are refused.
            force: connection.rules.length + connection.hiddenRules > 0,
          })
        }
      >
        <div className="grid gap-3">
          <p>
            Its credentials are permanently deleted, and later receipts are lost. Messages and costs still
            show its name.
          </p>
          {connection.rules.length > 0 ? (
            <div>
              <p className="font-medium text-ink">Used by these routing rules:</p>
              <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5">
                {connection.rules.map((rule) => (
                  <li key={rule.id}>
                    <bdi>{rule.name}</bdi> in {environmentName(rule.environment)}
                    {rule.unroutable ? (
                      <strong className="font-medium text-danger-text"> has no other connection</strong>
                    ) : null}
                  </li>
                ))}
              </ul>
            </div>
          ) : null}
          {connection.hiddenRules > 0 ? (
            <p>{plural(connection.hiddenRules, "further rule")} of other teams use it as well.</p>
          ) : null}
          {remove.error ? <FormError title={errorText(remove.error)} /> : null}
        </div>
      </ConfirmDialog>
    </>
  );
}

function Stranded({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="mt-2 text-danger-text">
      No other connection: {names.slice(0, 5).join(", ")}
      {names.length > 5 ? ` and ${String(names.length - 5)} more` : ""}.
    </p>
  );
}
