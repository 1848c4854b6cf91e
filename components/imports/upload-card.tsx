"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { ImportDetails } from "../../server/imports/schemas.ts";
import { importLimits } from "../../server/imports/vocabulary.ts";
import { useTRPCClient } from "../trpc/client.tsx";
import { errorCode, errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { base64Of } from "../ui/base64.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { FormError } from "../ui/field.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { formatPercent } from "../ui/format.ts";
import { csvFile, filesAtHand } from "./files-at-hand.ts";
import { fileSize } from "./import-words.ts";
import { ProgressBar } from "./progress-bar.tsx";

const attempts = 4;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The file on its way; after a reload it is chosen again and goes on where it was. */
export function UploadCard({ one }: { one: ImportDetails }) {
  const { id, size, fileName } = one;
  const client = useTRPCClient();
  const refresh = useRefresh("imports");
  const [received, setReceived] = useState(one.received);
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const busy = useRef(false);

  const send = useCallback(
    async (file: File) => {
      if (busy.current) return;
      busy.current = true;
      setSending(true);
      setProblem(null);
      try {
        let { received: at } = await client.imports.get.query({ id });
        let failures = 0;
        while (at < size) {
          try {
            const data = await base64Of(file.slice(at, at + importLimits.pieceBytes));
            ({ received: at } = await client.imports.upload.mutate({ id, offset: at, data }));
            setReceived(at);
            failures = 0;
          } catch (error) {
            // What the service refused on purpose will be refused again.
            if (++failures === attempts || (errorCode(error) ?? "rate_limited") !== "rate_limited")
              throw error;
            await pause(failures * 2_000);
          }
        }
        filesAtHand.delete(id);
      } catch (error) {
        setProblem(errorText(error));
      }
      busy.current = false;
      setSending(false);
      await refresh();
    },
    [client, id, refresh, size],
  );

  const started = useRef(false);
  useEffect(() => {
    const file = filesAtHand.get(id);
    if (!file || started.current) return;
    started.current = true;
    void send(file);
  }, [id, send]);

  function take(file: File | undefined) {
    if (!file) return;
    if (file.size !== size || file.name.slice(0, 200) !== fileName) {
      setProblem(`This is a different file. Choose ${fileName} with ${fileSize(size)} again.`);
      return;
    }
    filesAtHand.set(id, file);
    void send(file);
  }

  const share = received / size;
  return (
    <Card>
      <CardHeader
        title={sending ? "Uploading" : "Upload incomplete"}
        description={
          sending
            ? "Stay on this page until the upload completes."
            : `${fileSize(received)} of ${fileSize(size)} uploaded. Choose the same file again to continue.`
        }
        actions={
          sending ? null : (
            <FileButton variant="primary" {...csvFile} onChoose={([file]) => take(file)}>
              Choose file
            </FileButton>
          )
        }
      />
      <div className="grid gap-3 px-4 pb-4">
        <ProgressBar share={share} label="Upload" />
        <p className="text-sm text-ink-muted tabular">{formatPercent(share, 0)}</p>
        {problem ? <FormError title="Upload interrupted">{problem}</FormError> : null}
      </div>
    </Card>
  );
}
