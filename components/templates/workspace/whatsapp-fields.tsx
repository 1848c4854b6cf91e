"use client";

import {
  isOptOutButton,
  mostButtons,
  withOptOutButton,
} from "../../../server/template-language/opt-out-button.ts";
import { Button as AddButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { ListField, listOf, TextField, textOf, type DetailsProps } from "./details-inputs.tsx";

type Header = { type: string; text?: string; url?: string };
type Button = { type: string; text: string; payload?: string; url?: string; phone?: string };

const unset = "unset";
const categories = [
  { value: unset, label: "Not set" },
  { value: "authentication", label: "Authentication" },
  { value: "utility", label: "Utility" },
  { value: "marketing", label: "Marketing" },
];
const headers = [
  { value: unset, label: "None" },
  { value: "text", label: "Text" },
  { value: "image", label: "Image" },
  { value: "video", label: "Video" },
  { value: "document", label: "Document" },
];
const buttonTypes = [
  { value: "quick_reply", label: "Quick reply" },
  { value: "url", label: "Opens a page" },
  { value: "phone", label: "Calls a number" },
];
/** What a button holds beside its text, by its type. */
const buttonDetail = {
  quick_reply: { member: "payload", label: "Payload", placeholder: "YES" },
  url: { member: "url", label: "Address", placeholder: "https://example.com/{{ order }}" },
  phone: { member: "phone", label: "Number", placeholder: "+4930123456" },
} as const;

export function WhatsappFields({ metadata, problems, onChange }: DetailsProps) {
  const set = (name: string, value: unknown) => onChange({ ...metadata, [name]: value });
  const header = typeof metadata.header === "object" ? (metadata.header as Header | null) : null;
  const buttons = listOf(metadata.buttons) as readonly Button[];
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextField
        label="Approved template"
        hint="Its name or content ID at the provider. Leave empty for a message within an open conversation."
        name="templateName"
        placeholder="order_shipped"
        {...{ metadata, problems, onChange }}
      />
      <div className="grid grid-cols-2 gap-2">
        <Field label="Category" error={problems["/metadata/category"]}>
          {(control) => (
            <Select
              {...control}
              value={textOf(metadata.category) || unset}
              onValueChange={(value) => set("category", value === unset ? undefined : value)}
              options={categories}
            />
          )}
        </Field>
        <TextField
          label="Language"
          name="language"
          placeholder="en_GB"
          {...{ metadata, problems, onChange }}
        />
      </div>
      <ListField
        label="Parameters"
        hint="Values of {{1}}, {{2}}, … of the approved template. Leave empty to use the variables in order."
        addLabel="Add a parameter"
        items={listOf(metadata.parameters) as readonly string[]}
        max={50}
        empty=""
        problem={problems["/metadata/parameters"]}
        onChange={(next) => set("parameters", next)}
        itemLabel={(index) => `Parameter ${index + 1}`}
      >
        {(parameter, change, index) => (
          <Field label="Value" error={problems[`/metadata/parameters/${index}`]}>
            {(control) => (
              <Input
                {...control}
                value={parameter}
                placeholder="{{ name }}"
                onChange={(event) => change(event.target.value)}
                autoComplete="off"
              />
            )}
          </Field>
        )}
      </ListField>
      <div className="grid grid-cols-1 gap-2">
        <Field label="Header" error={problems["/metadata/header"] ?? problems["/metadata/header/type"]}>
          {(control) => (
            <Select
              {...control}
              value={header?.type ?? unset}
              onValueChange={(type) =>
                set(
                  "header",
                  type === unset
                    ? undefined
                    : type === "text"
                      ? { type, text: header?.text ?? "" }
                      : { type, url: header?.url ?? "" },
                )
              }
              options={headers}
            />
          )}
        </Field>
        {header ? (
          <Field
            label={header.type === "text" ? "Header text" : "Header address"}
            error={problems[header.type === "text" ? "/metadata/header/text" : "/metadata/header/url"]}
          >
            {(control) => (
              <Input
                {...control}
                value={(header.type === "text" ? header.text : header.url) ?? ""}
                onChange={(event) =>
                  set("header", {
                    type: header.type,
                    [header.type === "text" ? "text" : "url"]: event.target.value,
                  })
                }
                autoComplete="off"
              />
            )}
          </Field>
        ) : null}
      </div>
      <TextField label="Footer" name="footer" {...{ metadata, problems, onChange }} />
      <ListField
        label="Buttons"
        addLabel="Add a button"
        items={buttons}
        max={10}
        empty={{ type: "quick_reply", text: "" }}
        problem={problems["/metadata/buttons"]}
        onChange={(next) => set("buttons", next)}
        itemLabel={(index) => `Button ${index + 1}`}
      >
        {(button, change, index) => (
          <ButtonFields
            button={button}
            onChange={change}
            problem={(member) => problems[`/metadata/buttons/${index}/${member}`]}
          />
        )}
      </ListField>
      <OptOutHint
        isMarketing={metadata.category === "marketing"}
        buttons={buttons}
        onAdd={() => set("buttons", withOptOutButton(buttons, textOf(metadata.language)))}
      />
    </div>
  );
}

/** Offers the button by which recipients opt out, and says what it does once it is there. */
function OptOutHint({
  isMarketing,
  buttons,
  onAdd,
}: {
  isMarketing: boolean;
  buttons: readonly Button[];
  onAdd: () => void;
}) {
  if (buttons.some(isOptOutButton)) {
    return (
      <p className="text-xs text-ink-muted">
        People who tap the opt-out button get no more marketing on WhatsApp.
      </p>
    );
  }
  if (!isMarketing) return null;
  const full = buttons.length >= mostButtons;
  return (
    <div className="grid justify-items-start gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
      <p>
        Marketing templates need a way to opt out.{" "}
        {full
          ? `WhatsApp takes ${String(mostButtons)} buttons: remove one first.`
          : "The button must also be in the approved WhatsApp template, in the same place."}
      </p>
      <AddButton size="sm" disabled={full} onClick={onAdd}>
        Add opt-out button
      </AddButton>
    </div>
  );
}

function ButtonFields({
  button,
  onChange,
  problem,
}: {
  button: Button;
  onChange: (next: Button) => void;
  problem: (member: string) => string | undefined;
}) {
  const type = button.type in buttonDetail ? (button.type as keyof typeof buttonDetail) : "quick_reply";
  const { member, label, placeholder } = buttonDetail[type];
  return (
    <>
      <Field label="Action" error={problem("type")}>
        {(control) => (
          <Select
            {...control}
            value={type}
            onValueChange={(next) => onChange({ type: next, text: button.text })}
            options={buttonTypes}
          />
        )}
      </Field>
      <Field label="Text" error={problem("text")}>
        {(control) => (
          <Input
            {...control}
            value={button.text}
            onChange={(event) => onChange({ ...button, text: event.target.value })}
            autoComplete="off"
          />
        )}
      </Field>
      <Field label={label} error={problem(member)} optional={type === "quick_reply"}>
        {(control) => (
          <Input
            {...control}
            value={button[member] ?? ""}
            placeholder={placeholder}
            onChange={(event) =>
              onChange({
                ...button,
                // An empty payload is no payload.
                [member]:
                  event.target.value === "" && type === "quick_reply" ? undefined : event.target.value,
              })
            }
            autoComplete="off"
          />
        )}
      </Field>
    </>
  );
}
