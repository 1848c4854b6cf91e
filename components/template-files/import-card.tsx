"use client";

import { useMutation } from "@tanstack/react-query";
import { FileArchive, FolderOpen } from "lucide-react";
import { useState, type DragEvent } from "react";
import type { TemplateFile, TemplateImport } from "../../server/template-files/schemas.ts";
import { inCalls } from "../../server/template-files/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { cn } from "../ui/cn.ts";
import { Field, FormError } from "../ui/field.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { Input } from "../ui/input.tsx";
import { ofApplication, readFileList, readZip, UploadError } from "./read-upload.ts";

/** Bytes of one call; the portal takes two megabytes. */
const callBytes = 1_500_000;

/** Reads a zip or a folder in the browser and has the import planned; nothing is saved yet. */
export function ImportCard({
  application,
  onPlanned,
}: {
  application: string;
  onPlanned: (plan: TemplateImport) => void;
}) {
  const trpc = useTRPC();
  const plan = useMutation(trpc.templateFiles.plan.mutationOptions());
  const [note, setNote] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);

  async function take(read: () => Promise<TemplateFile[]>) {
    setBusy(true);
    setError(null);
    try {
      const files = ofApplication(await read(), application);
      let planned: TemplateImport | undefined;
      for (const part of inCalls(files, callBytes)) {
        planned = await plan.mutateAsync({
          ...(planned ? { importId: planned.id } : { application, note: note.trim() || undefined }),
          files: part,
        });
      }
      if (planned) onPlanned(planned);
    } catch (failure) {
      setError(failure instanceof UploadError ? failure.message : errorText(failure));
    } finally {
      setBusy(false);
    }
  }

  function choose(files: readonly File[]) {
    const [first] = files;
    if (!first) return;
    const isZip = files.length === 1 && /\.zip$/i.test(first.name);
    void take(() => (isZip ? readZip(first) : readFileList(files)));
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!busy) choose([...event.dataTransfer.files]);
  }

  return (
    <Card>
      <CardHeader title="Import" description="Preview the changes before anything is saved" />
      <div className="grid gap-4 px-4 pb-4">
        {error ? <FormError title="The files couldn't be read">{error}</FormError> : null}
        <div
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={cn(
            "grid justify-items-center gap-3 rounded-md border border-dashed px-4 py-6 text-center text-sm text-ink-muted",
            over ? "border-accent bg-accent-soft" : "border-line-strong",
          )}
        >
          <p>Drop a zip here, or choose</p>
          <div className="flex flex-wrap justify-center gap-2">
            <FileButton
              label="Zip of templates"
              accept=".zip,application/zip"
              pending={busy}
              onChoose={choose}
            >
              <FileArchive aria-hidden /> A zip
            </FileButton>
            <FileButton folder label="Folder of templates" disabled={busy} onChoose={choose}>
              <FolderOpen aria-hidden /> A folder
            </FileButton>
          </div>
        </div>
        <Field label="Note for new versions" optional>
          {(control) => (
            <Input
              {...control}
              value={note}
              onChange={(event) => setNote(event.target.value)}
              maxLength={1000}
              autoComplete="off"
            />
          )}
        </Field>
      </div>
    </Card>
  );
}
