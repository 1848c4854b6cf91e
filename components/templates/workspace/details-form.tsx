"use client";

import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { Draft, DraftMetadata } from "../draft.ts";
import type { FieldProblems } from "./validate-draft.ts";
import { WhatsappFields } from "./whatsapp-fields.tsx";

export type DetailsProps = {
  metadata: DraftMetadata;
  problems: FieldProblems;
  onChange: (next: DraftMetadata) => void;
};

/** What the channel wants to know beside the text. */
export function DetailsForm({ channel, ...props }: DetailsProps & { channel: Draft["channel"] }) {
  if (channel === "sms") return <SmsFields {...props} />;
  if (channel === "email") return <EmailFields {...props} />;
  return <WhatsappFields {...props} />;
}

function SmsFields({ metadata, problems, onChange }: DetailsProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        label="Sender"
        hint="A number, a short code, or up to 11 letters and digits. Empty: the connection's own."
        name="senderId"
        placeholder="ACME"
        {...{ metadata, problems, onChange }}
      />
      <Field
        label="Encoding"
        hint="Automatic takes GSM-7 when every character fits: cheaper."
        error={problems["/metadata/encoding"]}
      >
        {(control) => (
          <div id={control.id}>
            <Segmented
              label="Encoding"
              value={textOf(metadata.encoding) || "auto"}
              onValueChange={(encoding) => onChange({ ...metadata, encoding })}
              options={[
                { value: "auto", label: "Automatic" },
                { value: "GSM-7", label: "GSM-7" },
                { value: "UCS-2", label: "UCS-2" },
              ]}
            />
          </div>
        )}
      </Field>
    </div>
  );
}

type Attachment = { url: string; filename: string };

function EmailFields({ metadata, problems, onChange }: DetailsProps) {
  const attachments = listOf(metadata.attachments) as readonly Attachment[];
  return (
    <div className="grid grid-cols-1 gap-4">
      <Field
        label="Body is written in"
        hint="MJML becomes HTML for all mail programs when it is saved."
        error={problems["/metadata/format"]}
      >
        {(control) => (
          <div id={control.id}>
            <Segmented
              label="Body is written in"
              value={metadata.format === "mjml" ? "mjml" : "html"}
              onValueChange={(format) => onChange({ ...metadata, format })}
              options={[
                { value: "html", label: "HTML" },
                { value: "mjml", label: "MJML" },
              ]}
            />
          </div>
        )}
      </Field>
      <TextField
        label="From address"
        hint="Empty: the connection's own."
        name="from"
        placeholder="orders@example.com"
        {...{ metadata, problems, onChange }}
      />
      <TextField label="From name" name="fromName" placeholder="Acme" {...{ metadata, problems, onChange }} />
      <TextField
        label="Reply to"
        name="replyTo"
        placeholder="service@example.com"
        {...{ metadata, problems, onChange }}
      />
      <ListField
        label="Attachments"
        hint="Fetched from their address when the message is sent. Liquid works in both."
        addLabel="Add an attachment"
        items={attachments}
        max={10}
        empty={{ url: "", filename: "" }}
        problem={problems["/metadata/attachments"]}
        onChange={(next) => onChange({ ...metadata, attachments: next })}
        itemLabel={(index) => `Attachment ${index + 1}`}
      >
        {(attachment, change, index) => (
          <>
            <Field label="Address" error={problems[`/metadata/attachments/${index}/url`]}>
              {(control) => (
                <Input
                  {...control}
                  value={attachment.url}
                  placeholder="https://example.com/{{ order }}.pdf"
                  onChange={(event) => change({ ...attachment, url: event.target.value })}
                  autoComplete="off"
                />
              )}
            </Field>
            <Field label="File name" error={problems[`/metadata/attachments/${index}/filename`]}>
              {(control) => (
                <Input
                  {...control}
                  value={attachment.filename}
                  placeholder="invoice.pdf"
                  onChange={(event) => change({ ...attachment, filename: event.target.value })}
                  autoComplete="off"
                />
              )}
            </Field>
          </>
        )}
      </ListField>
    </div>
  );
}

/** One member of the metadata that is a text. */
export function TextField({
  label,
  hint,
  name,
  placeholder,
  metadata,
  problems,
  onChange,
}: DetailsProps & { label: string; hint?: string; name: string; placeholder?: string }) {
  return (
    <Field label={label} hint={hint} error={problems[`/metadata/${name}`]} optional>
      {(control) => (
        <Input
          {...control}
          value={textOf(metadata[name])}
          placeholder={placeholder}
          onChange={(event) => onChange({ ...metadata, [name]: event.target.value })}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

/** Several entries of the same kind, each with its own fields. */
export function ListField<T>({
  label,
  hint,
  addLabel,
  items,
  max,
  empty,
  problem,
  onChange,
  itemLabel,
  children,
}: {
  label: string;
  hint?: string;
  addLabel: string;
  items: readonly T[];
  max: number;
  empty: T;
  problem?: string | undefined;
  onChange: (items: T[]) => void;
  itemLabel: (index: number) => string;
  children: (item: T, change: (next: T) => void, index: number) => ReactNode;
}) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint ? <p className="text-xs text-ink-muted">{hint}</p> : null}
      {items.map((item, index) => (
        <div
          key={index}
          role="group"
          aria-label={itemLabel(index)}
          className="grid min-w-0 grid-cols-1 gap-2.5 rounded-md border border-line bg-canvas p-2.5"
        >
          <div className="flex items-center justify-between text-xs text-ink-muted">
            {itemLabel(index)}
            <Button
              variant="ghost"
              size="iconSm"
              aria-label={`Remove ${itemLabel(index).toLowerCase()}`}
              onClick={() => onChange(items.filter((_, at) => at !== index))}
            >
              <X aria-hidden />
            </Button>
          </div>
          {children(item, (next) => onChange(items.map((each, at) => (at === index ? next : each))), index)}
        </div>
      ))}
      {problem ? <p className="text-xs text-danger-text">{problem}</p> : null}
      {items.length < max ? (
        <div>
          <Button size="sm" onClick={() => onChange([...items, empty])}>
            <Plus aria-hidden /> {addLabel}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

/** Metadata is a plain object: what is stored may be of an older shape. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
