"use client";

import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { Draft } from "../draft.ts";
import { ListField, listOf, TextField, textOf, type DetailsProps } from "./details-inputs.tsx";
import { WhatsappFields } from "./whatsapp-fields.tsx";

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
