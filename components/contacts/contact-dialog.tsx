"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { useFieldArray } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { contactUpdateSchema, type Contact } from "../../server/contacts/schemas.ts";
import { contactLimits } from "../../server/contacts/vocabulary.ts";
import { channelLabel, channels } from "../messages/channel.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { PlaceField } from "../ui/place-input.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { SelectField, TextField } from "../ui/form-fields.tsx";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { changesOf, draftOf, none, valuesOf } from "./contact-draft.ts";

/** Adds a contact, or changes one. */
export function ContactDialog({
  contact,
  onClose,
  onSaved,
}: {
  /** Left out: a new one. */
  contact?: Contact;
  onClose: () => void;
  onSaved?: (id: string) => void;
}) {
  const trpc = useTRPC();
  const refresh = useRefresh("contacts", "contactGroups");
  const create = useMutation(trpc.contacts.create.mutationOptions());
  const update = useMutation(trpc.contacts.update.mutationOptions());
  // As it was when the dialog opened: the contact is fetched again while it is open.
  const [opened] = useState(() => draftOf(contact));
  const form = useOperationForm({
    schema: contactUpdateSchema,
    defaultValues: opened,
    input: (draft) => (contact ? changesOf(opened, draft) : valuesOf(draft)),
    send: async (input) => {
      const change = (id: string) =>
        update.mutateAsync({ id, changes: input }).catch(async (error: unknown) => {
          // Opened again, the dialog begins with what somebody else has saved.
          if (errorCode(error) === "revision_conflict") await refresh();
          throw error;
        });
      const { id } = contact ? await change(contact.id) : await create.mutateAsync(input);
      toast.success(contact ? "Contact saved" : "Contact added");
      onClose();
      onSaved?.(id);
      await refresh();
    },
    shownAt: (path, { rows, pairs }) => {
      const [of = "", part = "", member] = path.split(".");
      if (of === "addresses" && (member === "channel" || member === "address")) {
        // Rows without an address are left out of what is sent.
        const given = rows.flatMap(({ address }, index) => (address.trim() === "" ? [] : [index]));
        const row = given[Number(part)];
        return row === undefined ? undefined : `rows.${row}.${member}`;
      }
      // Of all addresses together, where there is one to type.
      if (of === "addresses") return rows.length > 0 ? "rows.0.address" : "externalId";
      const name = path.slice("attributes.".length);
      const pair = of === "attributes" ? pairs.findIndex((each) => each.name.trim() === name) : -1;
      return pair === -1 ? undefined : `pairs.${pair}.name`;
    },
  });
  const addresses = useFieldArray({ control: form.control, name: "rows" });
  const attributes = useFieldArray({ control: form.control, name: "pairs" });
  return (
    <FormDialog
      form={form}
      title={contact ? "Edit contact" : "Add contact"}
      submitLabel={contact ? "Save" : "Add"}
      className="max-w-2xl"
      formClassName="grid gap-4 sm:grid-cols-2"
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        optional
        maxLength={contactLimits.name}
        autoComplete="off"
      />
      <TextField
        {...form.field("externalId")}
        label="External ID"
        optional
        hint="Their ID in your own systems"
        maxLength={contactLimits.externalId}
        autoComplete="off"
        spellCheck={false}
      />
      <fieldset className="grid gap-2 sm:col-span-2">
        <legend className="mb-1.5 text-sm font-medium">Addresses</legend>
        {addresses.fields.map((row, index) => (
          <div key={row.id} className="flex items-start gap-2">
            <SelectField
              {...form.field(`rows.${index}.channel`)}
              label={<span className="sr-only">Channel</span>}
              className="w-32 shrink-0"
              options={channels.map((value) => ({ value, label: channelLabel(value) }))}
            />
            <TextField
              {...form.field(`rows.${index}.address`)}
              label={<span className="sr-only">Address</span>}
              className="min-w-0 flex-1"
              placeholder="ada@example.com or +4915112345678"
              maxLength={320}
              autoComplete="off"
              spellCheck={false}
            />
            <Button
              variant="ghost"
              size="icon"
              aria-label="Remove address"
              className="mt-1.5"
              onClick={() => addresses.remove(index)}
            >
              <X aria-hidden />
            </Button>
          </div>
        ))}
        <p className="text-xs text-ink-muted">The first address of each channel is used.</p>
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() => addresses.append({ channel: "sms", address: "" })}
          disabled={addresses.fields.length >= contactLimits.addressesPerChannel * channels.length}
        >
          <Plus aria-hidden /> Add address
        </Button>
      </fieldset>
      <PlaceField
        {...form.field("region")}
        kind="region"
        label="Region"
        none={{ value: none, label: "Not known" }}
      />
      <PlaceField
        {...form.field("language")}
        kind="language"
        label="Language"
        none={{ value: none, label: "Not known" }}
      />
      <TextField
        {...form.field("timeZone")}
        label="Time zone"
        optional
        placeholder="Europe/Berlin"
        list="time-zones"
        hint="For quiet hours. Leave empty to derive it from the number."
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id="time-zones">
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <fieldset className="grid gap-2 sm:col-span-2">
        <legend className="mb-1.5 text-sm font-medium">Attributes</legend>
        {attributes.fields.map((row, index) => (
          <div key={row.id} className="flex items-start gap-2">
            <TextField
              {...form.field(`pairs.${index}.name`)}
              label={<span className="sr-only">Attribute</span>}
              className="w-40 shrink-0"
              placeholder="plan"
              maxLength={contactLimits.attributeName}
              autoComplete="off"
              spellCheck={false}
            />
            <TextField
              {...form.field(`pairs.${index}.value`)}
              label={<span className="sr-only">Value</span>}
              className="min-w-0 flex-1"
              placeholder="gold"
              maxLength={contactLimits.attributeText}
              autoComplete="off"
            />
            <Button
              variant="ghost"
              size="icon"
              aria-label="Remove attribute"
              className="mt-1.5"
              onClick={() => attributes.remove(index)}
            >
              <X aria-hidden />
            </Button>
          </div>
        ))}
        <p className="text-xs text-ink-muted">
          Used as template variables in messages to groups, and in group filters.
        </p>
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() => attributes.append({ name: "", value: "" })}
          disabled={attributes.fields.length >= contactLimits.attributes}
        >
          <Plus aria-hidden /> Attribute
        </Button>
      </fieldset>
    </FormDialog>
  );
}
