"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { shortenerUpdateSchema } from "../../server/links/schemas.ts";
import { isService, serviceNames, shortenerKinds } from "../../server/links/vocabulary.ts";
import type { ShortenerKind, ShortenerSettings } from "../../server/links/schemas.ts";
import type { ServiceKind } from "../../server/links/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";

const kindLabels: Readonly<Record<ShortenerKind, string>> = {
  built_in: "Built-in",
  ...serviceNames,
  none: "None (links are not shortened)",
};

/** What the fields are called at each service. */
const words: Readonly<Record<ServiceKind, { secret: string; account: string | null; domain: string }>> = {
  bitly: { secret: "Access token", account: "Group GUID", domain: "bit.ly" },
  tinyurl: { secret: "API token", account: null, domain: "tinyurl.com" },
  rebrandly: { secret: "API key", account: "Workspace ID", domain: "rebrand.ly" },
};

const orNull = (text: string) => text.trim() || null;

/** Chooses the shortener of one environment. */
export function ShortenerForm({ shortener, onClose }: { shortener: ShortenerSettings; onClose: () => void }) {
  const { environments } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("links");
  const environment = environments.find(({ slug }) => slug === shortener.environment);
  const name = environment?.name ?? shortener.environment;
  const keeps = (kind: ShortenerKind) => shortener.hasSecret && kind === shortener.kind;
  const save = useMutation(trpc.links.updateShortener.mutationOptions());
  const form = useOperationForm({
    schema: shortenerUpdateSchema,
    defaultValues: {
      kind: shortener.kind,
      secret: "",
      processingRegion: shortener.processingRegion ?? "",
      domain: shortener.domain ?? "",
      account: shortener.account ?? "",
      validDays: String(shortener.validDays),
    },
    input: ({ kind, secret, processingRegion, domain, account, validDays }) => ({
      kind,
      ...(isService(kind)
        ? {
            secret: secret === "" && keeps(kind) ? undefined : secret,
            domain: orNull(domain),
            account: words[kind].account === null ? null : orNull(account),
            processingRegion,
            baseUrl: kind === shortener.kind ? shortener.baseUrl : null,
          }
        : {}),
      validDays: kind === "built_in" ? Number(validDays) : shortener.validDays,
      updatedAt: shortener.updatedAt,
    }),
    send: async (input) => {
      try {
        await save.mutateAsync({ environment: shortener.environment, ...input });
      } catch (error) {
        // Opened again, the form begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict") await refresh();
        throw error;
      }
      await refresh();
      toast.success(`Short links of ${name} saved`);
      onClose();
    },
  });
  const kind = useWatch({ control: form.control, name: "kind" });
  const service = isService(kind) ? words[kind] : null;
  const kept = keeps(kind);

  return (
    <FormDialog
      form={form}
      title={`Short links of ${name}`}
      description="Applies to messages sent from now on. Existing links keep working."
      submitLabel="Save"
      onClose={onClose}
    >
      <SelectField
        {...form.field("kind")}
        label="Service"
        hint={
          environment?.kind === "sandbox"
            ? "Nothing leaves the sandbox, so external services are not available."
            : service
              ? "If the service fails, messages are sent with full links after at most three seconds."
              : undefined
        }
        options={shortenerKinds.map((value) => ({
          value,
          label: kindLabels[value],
          disabled: environment?.kind === "sandbox" && isService(value),
        }))}
      />
      {kind === "built_in" ? (
        <TextField
          {...form.field("validDays")}
          label="Days a link works"
          className="max-w-60"
          hint="Afterwards it is deleted and shows that it has expired."
          type="number"
          min={1}
          max={400}
          required
        />
      ) : null}
      {service ? (
        <>
          <TextField
            {...form.field("secret")}
            label={service.secret}
            hint={kept ? "Stored. Leave empty to keep it." : "Stored encrypted. Can't be shown again."}
            type="password"
            autoComplete="new-password"
            spellCheck={false}
            required={!kept}
          />
          <TextField
            {...form.field("processingRegion")}
            label="Data region"
            className="max-w-60"
            hint="Such as EU or US. Your organisation must allow it."
            clean={(typed) => typed.toUpperCase()}
            maxLength={2}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <TextField
            {...form.field("domain")}
            label="Your own domain"
            optional
            hint={`Leave empty for links starting with ${service.domain}`}
            placeholder="go.example.com"
            autoComplete="off"
            spellCheck={false}
          />
          {service.account === null ? null : (
            <TextField
              {...form.field("account")}
              label={service.account}
              optional
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </>
      ) : null}
    </FormDialog>
  );
}
