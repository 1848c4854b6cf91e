"use client";

import { useMutation } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { useRouter } from "next/navigation";
import { toast } from "../ui/toast.ts";
import type { ExportInput } from "../../server/exports/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";

/** Asks for a file of what a page shows; then shows how far it has come. */
export function useStartExport() {
  const { href } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("exports");
  const router = useRouter();
  return useMutation(
    trpc.exports.request.mutationOptions({
      onSuccess: () => {
        void refresh();
        router.push(href("/exports"));
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
}

/** Exports what the page's filters show. */
export function StartExport({ input }: { input: ExportInput }) {
  const start = useStartExport();
  return (
    <Button
      onClick={() => start.mutate(input)}
      pending={start.isPending}
      title="Export everything that matches the filters"
    >
      <FileDown aria-hidden /> Export
    </Button>
  );
}
