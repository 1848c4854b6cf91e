"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import { createOrganisationSchema } from "../../server/console/schemas.ts";
import { dataRegions } from "../../server/tenancy/vocabulary.ts";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { PlaceField } from "../ui/place-input.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { shownOnce } from "../ui/leaving.ts";
import { Link } from "../ui/link.tsx";
import { slugOf } from "../ui/slug-of.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { useConsole } from "./client.tsx";

type Made = inferRouterOutputs<ConsoleRouter>["organisations"]["create"];

const empty = {
  name: "",
  slug: "",
  ownerName: "",
  email: "",
  dataRegion: "EU",
  country: "DE",
  language: "en" as "en" | "de",
};

/** Makes an organisation and shows, once, what its owner needs. */
export function CreateOrganisationDialog({ onClose }: { onClose: () => void }) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const [made, setMade] = useState<(Made & { name: string; email: string }) | null>(null);
  const create = useMutation(api.organisations.create.mutationOptions());
  const form = useOperationForm({
    schema: createOrganisationSchema,
    defaultValues: empty,
    input: ({ name, slug, ...rest }) => ({ ...rest, name: name.trim(), slug: slug || slugOf(name) }),
    send: async (input) => {
      setMade({ ...(await create.mutateAsync(input)), name: input.name, email: input.email });
      await queryClient.invalidateQueries({ queryKey: api.organisations.pathKey() });
    },
  });
  if (made) {
    return (
      <Dialog
        open
        title={`${made.name} is set up`}
        description="Send the link to its owner. Link and key can't be shown again."
        footer={
          <>
            <Button asChild>
              <Link href={`/console/organisations/${made.id}`}>Open organisation</Link>
            </Button>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <Once
            label={`${made.email} chooses a password at`}
            value={made.owner.address}
            copy="Copy link"
            note="Works once and expires in three days."
          />
          <Once
            label="API key for the sandbox"
            value={made.sandboxKey}
            copy="Copy key"
            note="Copy it now. It can't be shown again."
          />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title="New organisation"
      description="Comes with a team, an application, a sandbox and an owner."
      submitLabel="Create organisation"
      onClose={onClose}
      className="max-w-xl"
      formClassName="grid gap-4 sm:grid-cols-2"
    >
      <TextField {...form.field("name")} label="Name" maxLength={120} required autoFocus autoComplete="off" />
      <TextField
        {...form.field("slug")}
        label="Short name"
        hint="First part of its portal address. Leave empty to derive it from the name. Can't be changed later."
        optional
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        {...form.field("ownerName")}
        label="Owner's name"
        maxLength={120}
        required
        autoComplete="off"
      />
      <TextField
        {...form.field("email")}
        label="Owner's e-mail"
        type="email"
        inputMode="email"
        required
        autoComplete="off"
      />
      <SelectField
        {...form.field("dataRegion")}
        label="Data region"
        options={dataRegions.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <PlaceField
        {...form.field("country")}
        kind="region"
        label="Country"
        hint="Numbers from here need no country code."
      />
      <SelectField
        {...form.field("language")}
        label="Language of the first templates"
        options={[
          { value: "en", label: "English" },
          { value: "de", label: "German" },
        ]}
      />
    </FormDialog>
  );
}

function Once({ label, value, copy, note }: { label: string; value: string; copy: string; note: string }) {
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium break-words">{label}</p>
      <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-2 pr-2 pl-3">
        <code {...shownOnce} className="min-w-0 flex-1 font-mono text-xs break-all select-all">
          {value}
        </code>
        <CopyButton value={value} label={copy} className="size-7" />
      </div>
      <p className="mt-1.5 text-xs text-ink-muted">{note}</p>
    </div>
  );
}
