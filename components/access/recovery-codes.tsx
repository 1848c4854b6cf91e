"use client";

import { Download } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { shownOnce } from "../ui/leaving.ts";

/** Recovery codes, this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="grid gap-3">
      <div className="text-sm">
        <p className="font-medium">Keep these recovery codes somewhere safe.</p>
        <p className="mt-0.5 text-ink-muted">
          Use one instead of a code if you lose your authenticator app. Each works once. They can't be shown
          again.
        </p>
      </div>
      <div className="flex items-start gap-1 rounded-md border border-line-strong bg-sunken py-3 pr-2 pl-4">
        <ol
          {...shownOnce}
          aria-label="Recovery codes"
          className="grid min-w-0 flex-1 grid-cols-1 gap-x-8 gap-y-1 font-mono text-sm select-all sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <CopyButton value={text} label="Copy codes" className="size-7" />
      </div>
      <Button size="sm" className="justify-self-start" onClick={() => download(text)}>
        <Download aria-hidden /> Download
      </Button>
    </div>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "tidings-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(url);
}
