"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import { isService, serviceNames, shortenerKinds } from "../../server/links/schemas.ts";
import type { ServiceKind, ShortenerKind, ShortenerSettings } from "../../server/links/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";

const kindLabels: Readonly<Record<ShortenerKind, string>> = {
  built_in: "Built-in",
  ...serviceNames,
  none: "None: addresses stay long",
};

/** What the fields are called at each service. */
const words: Readonly<Record<ServiceKind, { secret: string; account: string | null; domain: string }>> = {
  bitly: { secret: "Access token", account: "Group GUID", domain: "bit.ly" },
  tinyurl: { secret: "API token", account: null, domain: "tinyurl.com" },
  rebrandly: { secret: "API key", account: "Workspace ID", domain: "rebrand.ly" },
};

const orNull = (text: string) => (text.trim() === "" ? null : text.trim());

/** Chooses the shortener of one environment. */
export function ShortenerForm({ shortener, onClose }: { shortener: ShortenerSettings; onClose: () => void }) {
  const { environments } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const environment = environments.find(({ slug }) => slug === shortener.environment);
  const name = environment?.name ?? shortener.environment;
  const [kind, setKind] = useState<ShortenerKind>(shortener.kind);
  const [secret, setSecret] = useState("");
  const [domain, setDomain] = useState(shortener.domain ?? "");
  const [account, setAccount] = useState(shortener.account ?? "");
  const [region, setRegion] = useState(shortener.processingRegion ?? "");
  const [validDays, setValidDays] = useState(String(shortener.validDays));
  const service = isService(kind) ? words[kind] : null;
  const kept = shortener.hasSecret && kind === shortener.kind;

  const save = useMutation(
    trpc.links.updateShortener.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.links.pathKey() });
        toast.success(`Short links of ${name} saved`);
        onClose();
      },
    }),
  );
  const wrong = fieldErrors(save.error);

  function submit() {
    save.mutate({
      environment: shortener.environment,
      kind,
      ...(service
        ? {
            ...(secret === "" ? {} : { secret }),
            domain: orNull(domain),
            account: service.account === null ? null : orNull(account),
            processingRegion: orNull(region.toUpperCase()),
            baseUrl: kind === shortener.kind ? shortener.baseUrl : null,
          }
        : {}),
      ...(kind === "built_in" ? { validDays: Number(validDays) } : { validDays: shortener.validDays }),
    });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Short links of ${name}`}
      description="Messages that are sent from now on carry its links. Links that were sent already go on working."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {save.error && Object.keys(wrong).length === 0 ? <FormError title={errorText(save.error)} /> : null}
        <Field
          label="Made by"
          error={wrong.kind}
          hint={
            environment?.kind === "sandbox"
              ? "Nothing leaves the sandbox, so no service can be chosen for it."
              : service
                ? "When the service fails, messages go out with long addresses after at most three seconds."
                : undefined
          }
        >
          {(control) => (
            <Select
              id={control.id}
              aria-describedby={control["aria-describedby"]}
              value={kind}
              onValueChange={(value) => setKind(value as ShortenerKind)}
              options={shortenerKinds.map((value) => ({
                value,
                label: kindLabels[value],
                disabled: environment?.kind === "sandbox" && isService(value),
              }))}
            />
          )}
        </Field>
        {kind === "built_in" ? (
          <Field
            label="Days for which a link works"
            error={wrong.validDays}
            className="max-w-60"
            hint="Afterwards it leads to a page that says so, and is deleted."
          >
            {(control) => (
              <Input
                {...control}
                value={validDays}
                onChange={(event) => setValidDays(event.target.value)}
                type="number"
                min={1}
                max={400}
                required
              />
            )}
          </Field>
        ) : null}
        {service ? (
          <>
            <Field
              label={service.secret}
              error={wrong.secret}
              hint={
                kept ? "One is stored. Leave this empty to keep it." : "Stored encrypted, never shown again."
              }
            >
              {(control) => (
                <Input
                  {...control}
                  value={secret}
                  onChange={(event) => setSecret(event.target.value)}
                  type="password"
                  autoComplete="new-password"
                  spellCheck={false}
                  required={!kept}
                />
              )}
            </Field>
            <Field
              label="Region in which it processes data"
              error={wrong.processingRegion}
              className="max-w-60"
              hint="Two letters, such as EU or US. It must be one that the organisation allows."
            >
              {(control) => (
                <Input
                  {...control}
                  value={region}
                  onChange={(event) => setRegion(event.target.value.toUpperCase())}
                  maxLength={2}
                  autoComplete="off"
                  spellCheck={false}
                  required
                />
              )}
            </Field>
            <Field
              label="Domain of your own"
              optional
              error={wrong.domain}
              hint={`Empty: links begin with ${service.domain}`}
            >
              {(control) => (
                <Input
                  {...control}
                  value={domain}
                  onChange={(event) => setDomain(event.target.value)}
                  placeholder="go.example.com"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
            {service.account === null ? null : (
              <Field label={service.account} optional error={wrong.account}>
                {(control) => (
                  <Input
                    {...control}
                    value={account}
                    onChange={(event) => setAccount(event.target.value)}
                    autoComplete="off"
                    spellCheck={false}
                  />
                )}
              </Field>
            )}
          </>
        ) : null}
      </form>
    </Dialog>
  );
}
