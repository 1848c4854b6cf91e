"use client";

import { useMutation } from "@tanstack/react-query";
import { useController, useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import {
  createProviderSchema,
  updateProviderSchema,
  type ListedProvider,
  type ProviderKind,
} from "../../server/sso/schemas.ts";
import { providerKinds } from "../../server/sso/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { Select } from "../ui/select.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { named } from "../ui/isolated.ts";
import { providerTexts } from "./provider-texts.tsx";

/** Connects a provider, or changes one. */
export function ProviderDialog({
  provider,
  redirectUri,
  onClose,
}: {
  provider: ListedProvider | null;
  redirectUri: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("sso");
  const create = useMutation(trpc.sso.create.mutationOptions());
  const update = useMutation(trpc.sso.update.mutationOptions());
  const form = useOperationForm({
    schema: provider ? updateProviderSchema : createProviderSchema,
    defaultValues: provider
      ? { ...provider, clientSecret: "" }
      : {
          kind: "entra" as ProviderKind,
          name: providerTexts.entra.name,
          issuer: "",
          clientId: "",
          clientSecret: "",
          scopes: providerTexts.entra.scopes,
          roleClaim: providerTexts.entra.roleClaim,
          admits: false,
        },
    input: ({ kind, name, issuer, clientId, clientSecret, scopes, roleClaim, admits }) => ({
      kind,
      name: name.trim(),
      issuer: providerTexts[kind].issuerOf(issuer.trim()),
      clientId: clientId.trim(),
      scopes: scopes.trim(),
      roleClaim: roleClaim.trim(),
      admits,
      ...(provider
        ? {
            id: provider.id,
            revision: provider.revision,
            ...(clientSecret === "" ? {} : { clientSecret }),
          }
        : { clientSecret }),
    }),
    send: async (input) => {
      try {
        if (provider) await update.mutateAsync(updateProviderSchema.parse(input));
        else await create.mutateAsync(createProviderSchema.parse(input));
      } catch (error) {
        // Opened again, the form begins with what somebody else has saved.
        if (errorCode(error) === "revision_conflict") await refresh();
        throw error;
      }
      toast.success(provider ? "Provider saved" : "Provider added. Test it, then switch it on.");
      onClose();
      await refresh();
    },
  });
  const kind = useWatch({ control: form.control, name: "kind" });
  const kindField = useController({ control: form.control, name: "kind" });
  const admits = useController({ control: form.control, name: "admits" });
  const texts = providerTexts[kind];
  const choose = (next: ProviderKind) => {
    kindField.field.onChange(next);
    if (provider) return;
    form.setValue("name", providerTexts[next].name);
    form.setValue("scopes", providerTexts[next].scopes);
    form.setValue("roleClaim", providerTexts[next].roleClaim);
    form.setValue("issuer", "");
  };
  return (
    <FormDialog
      form={form}
      title={provider ? `Change ${named(provider.name)}` : "Add identity provider"}
      submitLabel={provider ? "Save" : "Add provider"}
      className="max-w-xl"
      onClose={onClose}
    >
      <Field label="Provider">
        {(control) => (
          <Select
            {...control}
            value={kind}
            onValueChange={(value) => choose(value as ProviderKind)}
            options={providerKinds.map((value) => ({ value, label: providerTexts[value].label }))}
          />
        )}
      </Field>
      <section
        aria-label="Setup at the provider"
        className="rounded-md border border-line bg-sunken px-3 py-2.5 text-sm"
      >
        <p className="text-xs text-ink-muted">Redirect URI</p>
        <p className="flex items-start gap-1">
          <code className="min-w-0 flex-1 font-mono text-xs leading-6 break-all">{redirectUri}</code>
          <CopyButton value={redirectUri} label="Copy redirect URI" />
        </p>
        <ol className="mt-2 list-decimal space-y-1 pl-5 text-xs text-ink-muted [&_b]:font-medium [&_b]:text-ink">
          {texts.steps.map((step, index) => (
            <li key={index}>{step}</li>
          ))}
        </ol>
      </section>
      <TextField
        {...form.field("name")}
        label="Name"
        hint="Shown on the sign-in page: “Continue with …”. Visible to anyone who enters an address in your domain."
        maxLength={60}
        required
      />
      {texts.issuer ? (
        <TextField
          {...form.field("issuer")}
          label={texts.issuer.label}
          hint={texts.issuer.hint}
          placeholder={texts.issuer.placeholder}
          maxLength={500}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : null}
      <TextField
        {...form.field("clientId")}
        label={kind === "entra" ? "Application (client) ID" : "Client ID"}
        maxLength={500}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        {...form.field("clientSecret")}
        label="Client secret"
        hint={
          provider
            ? "Leave empty to keep the stored one. If you change issuer or client ID, enter it again. People are then matched by their address."
            : "Stored encrypted. Can't be shown again."
        }
        type="password"
        maxLength={1_000}
        required={!provider}
        autoComplete="new-password"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field("scopes")}
          label="Scopes"
          maxLength={500}
          required
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          {...form.field("roleClaim")}
          label="Claim for roles"
          hint="Rules map its values to roles."
          maxLength={200}
          required
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <CheckboxField
        label="Allow new people to join"
        checked={admits.field.value}
        onChange={admits.field.onChange}
      >
        Anyone who signs in with an address in a verified domain becomes a member. Otherwise only members can
        sign in. Removed or suspended people never can.
      </CheckboxField>
    </FormDialog>
  );
}
