"use client";

import { useMutation } from "@tanstack/react-query";
import { ImageUp } from "lucide-react";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Logo } from "../../server/workspace/vocabulary.ts";
import { logoLimits } from "../../server/workspace/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { base64Of } from "../ui/base64.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { FormError } from "../ui/field.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { useBrandingSaved } from "./use-branding-saved.ts";

const kibibytes = (bytes: number) => `${String(Math.max(1, Math.round(bytes / 1_024)))} KiB`;
const kindNames = { png: "PNG", jpeg: "JPEG", webp: "WebP" };
const { bytes: mostBytes, pixels } = logoLimits;

/** The logo: what it is, another one, none. */
export function LogoCard({ logo }: { logo: Logo | null }) {
  const trpc = useTRPC();
  const saved = useBrandingSaved();
  const [problem, setProblem] = useState<string | null>(null);
  const [removing, setRemoving] = useState(false);
  const set = useMutation(
    trpc.branding.setLogo.mutationOptions({
      onSuccess: (branding) => saved(branding, "Logo saved"),
      onError: (error) => setProblem(errorText(error)),
    }),
  );
  const remove = useMutation(
    trpc.branding.removeLogo.mutationOptions({
      onSuccess: (branding) => {
        setRemoving(false);
        return saved(branding, "Logo removed");
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );

  async function upload(chosen: File | undefined) {
    if (!chosen) return;
    setProblem(null);
    if (chosen.size > mostBytes) {
      setProblem(`The image has ${kibibytes(chosen.size)}. At most ${kibibytes(mostBytes)}.`);
      return;
    }
    try {
      set.mutate({ picture: await base64Of(chosen) });
    } catch {
      setProblem("The file couldn't be read.");
    }
  }

  return (
    <Card>
      <CardHeader
        title="Logo"
        description="Shown in the portal, in e-mails to members and on invitations."
        actions={
          <>
            {logo ? (
              <Button size="sm" variant="ghost" onClick={() => setRemoving(true)}>
                Remove
              </Button>
            ) : null}
            <FileButton
              size="sm"
              label="Logo image"
              accept="image/png,image/jpeg,image/webp"
              pending={set.isPending}
              onChoose={([chosen]) => void upload(chosen)}
            >
              {logo ? "Replace" : "Upload"}
            </FileButton>
          </>
        }
      />
      <div className="grid gap-3 px-4 pb-4">
        {problem === null ? null : <FormError title="The logo was not saved">{problem}</FormError>}
        <div className="flex flex-wrap items-center gap-4">
          <div className="grid h-20 w-40 shrink-0 place-items-center rounded-md border border-line bg-[#ffffff] p-2">
            {logo ? (
              <img src={logo.path} alt="The logo" className="max-h-full max-w-full object-contain" />
            ) : (
              <ImageUp className="size-6 text-[#77776f]" aria-hidden />
            )}
          </div>
          <div className="min-w-0 flex-1 basis-60 text-xs text-ink-muted">
            {logo ? (
              <p className="mb-1 text-sm text-ink">
                {kindNames[logo.kind]}, {logo.width} × {logo.height} pixels, {kibibytes(logo.bytes)}
              </p>
            ) : (
              <p className="mb-1 text-sm text-ink">No logo yet</p>
            )}
            <p>
              PNG, JPEG or WebP up to {kibibytes(mostBytes)}, {pixels.min} to {pixels.max} pixels on each
              side. Always shown on white or light grey. Outlook on Windows doesn't show WebP. The file is
              published unchanged, including its metadata.
            </p>
          </div>
        </div>
      </div>
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title="Remove logo?"
        confirmLabel="Remove"
        pending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        E-mails already sent show the organisation&apos;s name instead, unless the reader&apos;s mail app has
        kept a copy.
      </ConfirmDialog>
    </Card>
  );
}
