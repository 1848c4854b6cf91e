"use client";

import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ImportView } from "../../server/imports/schemas.ts";
import { importLimits } from "../../server/imports/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { csvFile, filesAtHand } from "./files-at-hand.ts";
import { fileSize, kindWords } from "./import-words.ts";

/** A button that takes a file and leads to the page of its import. */
export function NewImport({
  kinds,
  label = "Import",
  primary = false,
}: {
  kinds: readonly [ImportView["kind"], ...ImportView["kind"][]];
  label?: string;
  primary?: boolean;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant={primary ? "primary" : "secondary"} onClick={() => setOpen(true)}>
        <FileUp aria-hidden /> {label}
      </Button>
      {open ? <ChooseFile kinds={kinds} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ChooseFile({
  kinds,
  onClose,
}: {
  kinds: readonly [ImportView["kind"], ...ImportView["kind"][]];
  onClose: () => void;
}) {
  const { environment, href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useRefresh("imports");
  const [kind, setKind] = useState(kinds[0]);
  const [problem, setProblem] = useState<string | null>(null);
  const create = useMutation(
    trpc.imports.create.mutationOptions({ onError: (error) => setProblem(errorText(error)) }),
  );

  async function take(file: File | undefined) {
    if (!file) return;
    setProblem(null);
    if (file.size === 0) {
      setProblem("The file is empty.");
      return;
    }
    if (file.size > importLimits.bytes) {
      setProblem(`The file has ${fileSize(file.size)}. At most 200 MB. Split the file.`);
      return;
    }
    const { id } = await create.mutateAsync({
      kind,
      environmentId: environment.id,
      fileName: file.name.slice(0, 200),
      size: file.size,
    });
    filesAtHand.set(id, file);
    await refresh();
    router.push(href(`/imports/${id}`));
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={kinds.length === 1 ? `Import ${kindWords[kind].label.toLowerCase()}` : "Import file"}
      description="A CSV file with a header row. You see a preview before anything changes."
    >
      <div className="grid gap-4">
        {kinds.length > 1 ? (
          <Field label="Type of data" hint={kindWords[kind].says}>
            {() => (
              <Segmented
                label="Type of data"
                value={kind}
                onValueChange={setKind}
                options={kinds.map((value) => ({ value, label: kindWords[value].label }))}
              />
            )}
          </Field>
        ) : null}
        {kind === "consent" ? (
          <p className="text-sm text-ink-muted">
            {environment.kind === "sandbox"
              ? "Applies in the sandbox only."
              : "Applies in all environments except the sandbox. Each opt-in needs evidence in its row."}
          </p>
        ) : null}
        {kind === "suppressions" ? (
          <p className="text-sm text-ink-muted">
            {environment.kind === "sandbox"
              ? "Apply in the sandbox only."
              : "Apply in all environments except the sandbox, including one-time codes. Import people who only opted out as consent."}
          </p>
        ) : null}
        {problem ? <FormError title="This file can't be imported">{problem}</FormError> : null}
        <div
          className="grid justify-items-center gap-3 rounded-lg border border-dashed border-line-strong bg-canvas px-4 py-8 text-center"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            void take(event.dataTransfer.files[0]).catch(() => undefined);
          }}
        >
          <p className="text-sm text-ink-muted">CSV, up to 200 MB. Drop it here, or</p>
          <FileButton
            variant="primary"
            {...csvFile}
            pending={create.isPending}
            onChoose={([file]) => void take(file).catch(() => undefined)}
          >
            Choose file
          </FileButton>
        </div>
      </div>
    </Dialog>
  );
}
