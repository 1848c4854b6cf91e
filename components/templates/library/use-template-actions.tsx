"use client";

import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState, type ReactNode } from "react";
import { toast } from "../../ui/toast.ts";
import { channelLabel } from "../../messages/channel.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { errorText } from "../../trpc/error-text.ts";
import { useRefresh } from "../../trpc/use-refresh.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { audienceText } from "../audience.ts";
import type { TemplateAction } from "./template-menu.tsx";
import type { TemplateFacts } from "./types.ts";

const DuplicateDialog = dynamic(() =>
  import("./duplicate-dialog.tsx").then((module) => module.DuplicateDialog),
);

/** Archiving, restoring and duplicating a template, with what these ask and say. */
export function useTemplateActions(): { act: TemplateAction; dialogs: ReactNode } {
  const trpc = useTRPC();
  const [archiving, setArchiving] = useState<TemplateFacts | null>(null);
  const [duplicating, setDuplicating] = useState<TemplateFacts | null>(null);
  const refresh = useRefresh("templates", "pipelines");

  const restore = useMutation(
    trpc.templates.restore.mutationOptions({
      onSuccess: async (template) => {
        const live = template.deployments.map((each) => `${each.environment} v${each.version}`);
        toast.success(`${template.name} is back`, {
          description:
            live.length > 0 ? `Live again as it was: ${live.join(", ")}` : "It was not live anywhere.",
        });
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const archive = useMutation(
    trpc.templates.archive.mutationOptions({
      onSuccess: async (template) => {
        setArchiving(null);
        toast.success(`${template.name} is archived`, {
          description: `${channelLabel(template.channel)}, ${audienceText(template)}`,
          action: { label: "Undo", onClick: () => restore.mutate({ id: template.id }) },
          duration: 10_000,
        });
        await refresh();
      },
      onError: (error) => {
        setArchiving(null);
        toast.error("The template was not archived", { description: errorText(error) });
      },
    }),
  );

  return {
    act: (action, template) => {
      if (action === "archive") setArchiving(template);
      else if (action === "duplicate") setDuplicating(template);
      else restore.mutate({ id: template.id });
    },
    dialogs: (
      <>
        <ConfirmDialog
          open={archiving !== null}
          onClose={() => setArchiving(null)}
          title={`Archive ${archiving?.name ?? ""} for ${archiving ? channelLabel(archiving.channel) : ""}?`}
          confirmLabel="Archive"
          pending={archive.isPending}
          onConfirm={() => archiving && archive.mutate({ id: archiving.id })}
        >
          {archiving ? (
            <>
              The text for {audienceText(archiving)} is no longer used in any environment. Messages use the
              next matching template or are refused. Its versions are kept, and you can restore it.
            </>
          ) : null}
        </ConfirmDialog>
        {duplicating ? (
          <DuplicateDialog template={duplicating} onClose={() => setDuplicating(null)} onDone={refresh} />
        ) : null}
      </>
    ),
  };
}
