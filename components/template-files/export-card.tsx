"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";

/** Gives the browser a file to keep. */
function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** An application's templates as a zip: the latest versions, or what is live somewhere. */
export function ExportCard({ application }: { application: string }) {
  const { applications, environments } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [environment, setEnvironment] = useState("latest");
  const [read, setRead] = useState<number | null>(null);
  const stages = applications.find((each) => each.name === application)?.stages ?? [];
  const choices = environments.filter((each) => each.kind === "sandbox" || stages.includes(each.id));

  async function download() {
    setRead(0);
    try {
      const { BlobWriter, TextReader, ZipWriter, configure } = await import("@zip.js/zip.js");
      configure({ useWebWorkers: false });
      const writer = new ZipWriter(new BlobWriter("application/zip"));
      let cursor: string | undefined;
      let templates = 0;
      do {
        const page = await queryClient.query(
          trpc.templateFiles.export.queryOptions(
            { application, environment: environment === "latest" ? undefined : environment, cursor },
            { staleTime: 0 },
          ),
        );
        for (const file of page.files) {
          await writer.add(`${application}/${file.path}`, new TextReader(file.content));
        }
        templates += page.templates;
        setRead(templates);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      if (templates === 0) {
        toast.info("There is nothing to export there yet");
        return;
      }
      save(await writer.close(), `${application}-templates.zip`);
      toast.success(`${plural(templates, "template")} of ${application} exported`);
    } catch (error) {
      toast.error("Export failed", { description: errorText(error) });
    } finally {
      setRead(null);
    }
  }

  return (
    <Card>
      <CardHeader title="Export" description="One folder per template, in plain files that diff well" />
      <div className="grid gap-4 px-4 pb-4">
        <Field label="Versions">
          {(control) => (
            <Select
              {...control}
              value={environment}
              onValueChange={setEnvironment}
              options={[
                { value: "latest", label: "Latest version of each template" },
                ...choices.map((each) => ({ value: each.slug, label: `What is live in ${each.name}` })),
              ]}
            />
          )}
        </Field>
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => void download()} pending={read !== null}>
            <Download aria-hidden /> Download zip
          </Button>
          <span className="text-xs text-ink-muted" aria-live="polite">
            {read ? `${plural(read, "template")} read …` : null}
          </span>
        </div>
        <p className="text-xs text-ink-muted">
          From a terminal: <code className="font-mono">npm run templates -- pull</code> and{" "}
          <code className="font-mono">push</code> do the same with a folder in your repository.
        </p>
      </div>
    </Card>
  );
}
