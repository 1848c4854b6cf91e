"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { updateBrandingSchema } from "../../server/workspace/schemas.ts";
import type { Branding } from "../../server/workspace/vocabulary.ts";
import { contrast, textOn } from "../../server/workspace/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, fieldErrors } from "../trpc/error-text.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { changedFields } from "../ui/changed-fields.ts";
import { Field, FormError } from "../ui/field.tsx";
import { formatNumber } from "../ui/format.ts";
import { Input } from "../ui/input.tsx";
import { UnsavedBar } from "../ui/unsaved-bar.tsx";
import { useBrandingSaved } from "./use-branding-saved.ts";
import { Form } from "../ui/form.tsx";

/** The fields as they are typed; empty: none. */
export type TypedBranding = { accent: string; senderName: string; support: string };

export const typedOf = ({ accent, senderName, support }: Branding): TypedBranding => ({
  accent: accent ?? "",
  senderName: senderName ?? "",
  support: support ?? "",
});

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** "0a7f5a" is taken as "#0a7f5a". */
const cleanColour = (text: string) => {
  const trimmed = text.trim();
  return /^[0-9a-f]{6}$/i.test(trimmed) ? `#${trimmed}` : trimmed;
};

export function BrandingForm({
  saved,
  typed,
  onType,
}: {
  saved: Branding;
  /** What was typed here; the rest follows what is saved, also when somebody else saves. */
  typed: Partial<TypedBranding>;
  onType: (typed: Partial<TypedBranding>) => void;
}) {
  const { tenant } = usePortal();
  const trpc = useTRPC();
  const done = useBrandingSaved();
  const now = { ...typedOf(saved), ...typed };
  const input = {
    accent: cleanColour(now.accent) || null,
    senderName: now.senderName.trim() || null,
    support: now.support.trim() || null,
  };
  const dirty =
    input.senderName !== saved.senderName ||
    input.support !== saved.support ||
    (input.accent?.toLowerCase() ?? null) !== saved.accent;
  const save = useMutation(
    trpc.branding.update.mutationOptions({
      onSuccess: (branding) => {
        onType({});
        return done(branding, "Branding saved");
      },
    }),
  );
  const judged = updateBrandingSchema.safeParse(input);
  const complaints = Object.fromEntries(
    (judged.success ? [] : judged.error.issues)
      .map((issue) => [String(issue.path[0]), issue.message] as const)
      .toReversed(),
  );
  const wrong = { ...fieldErrors(save.error), ...(dirty ? complaints : {}) };
  const set = (change: Partial<TypedBranding>) => {
    save.reset();
    onType({ ...typed, ...change });
  };
  const colour = cleanColour(now.accent);

  return (
    <Form
      refused={save.error}
      aria-label="Branding"
      onSubmit={() => {
        if (dirty && judged.success) save.mutate(changedFields(saved, judged.data));
      }}
    >
      <fieldset disabled={save.isPending} className="grid grid-cols-1 gap-4">
        {save.error && Object.keys(wrong).length === 0 ? (
          <FormError title="Branding was not saved">{errorText(save.error)}</FormError>
        ) : null}
        <Card>
          <CardHeader title="Colour" description="Button colour in e-mails to members and on invitations." />
          <div className="grid gap-3 px-4 pb-4">
            <Field
              label="Accent colour"
              optional
              hint="Without a logo, the navigation shows your initial on this colour."
              error={wrong.accent}
            >
              {(control) => (
                <div className="flex max-w-60 items-center gap-2">
                  <input
                    type="color"
                    aria-label="Choose accent colour"
                    value={isColour(colour) ? colour.toLowerCase() : "#1d1d1b"}
                    onChange={(event) => set({ accent: event.target.value })}
                    className="h-8 w-10 shrink-0 cursor-pointer rounded-md border border-line bg-surface p-0.5"
                  />
                  <Input
                    {...control}
                    value={now.accent}
                    onChange={(event) => set({ accent: event.target.value })}
                    placeholder="#0a7f5a"
                    autoComplete="off"
                    spellCheck={false}
                    maxLength={7}
                    className="font-mono"
                  />
                </div>
              )}
            </Field>
            {isColour(colour) ? <Contrast colour={colour} /> : null}
          </div>
        </Card>
        <Card>
          <CardHeader
            title="E-mails to members"
            description="Invitations, password links and warnings about expiring API keys. Messages to recipients are not affected."
          />
          <div className="grid gap-4 px-4 pb-4">
            <Field
              label="Sender name"
              optional
              hint={`Shown at the bottom of these e-mails: “Sent by …”. Default: ${tenant.name}. The address comes from the connection.`}
              error={wrong.senderName}
            >
              {(control) => (
                <Input
                  {...control}
                  value={now.senderName}
                  onChange={(event) => set({ senderName: event.target.value })}
                  placeholder={tenant.name}
                  maxLength={80}
                  autoComplete="off"
                />
              )}
            </Field>
            <Field
              label="Support"
              optional
              hint="An e-mail address or a page starting with https://. Shown at the bottom of these e-mails and on invitations."
              error={wrong.support}
            >
              {(control) => (
                <Input
                  {...control}
                  value={now.support}
                  onChange={(event) => set({ support: event.target.value })}
                  placeholder="help@example.com"
                  maxLength={300}
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
          </div>
        </Card>
      </fieldset>
      {dirty ? (
        <UnsavedBar
          saveLabel="Save branding"
          pending={save.isPending}
          onDiscard={() => {
            onType({});
            save.reset();
          }}
        >
          Not saved yet.
        </UnsavedBar>
      ) : null}
    </Form>
  );
}

/** The page of the portal in dark. */
const darkPage = "#0d1315";
/** What shapes need to be seen against what is around them (WCAG 2, 1.4.11). */
const enough = 3;

/** In words how the colour can be seen. */
function Contrast({ colour }: { colour: string }) {
  const text = textOn(colour);
  const ratio = (other: string) => `${formatNumber(Math.floor(contrast(colour, other) * 10) / 10)} : 1`;
  const places = [
    { where: "white, as in e-mails", against: "#ffffff" },
    { where: "dark pages", against: darkPage },
  ];
  return (
    <ul aria-label="Contrast" className="grid gap-1 text-xs text-ink-muted">
      <li className="flex items-start gap-1.5">
        <CircleCheck className="mt-0.5 size-3.5 shrink-0 text-success-text" aria-hidden />
        <span>
          Text on it is {text === "#ffffff" ? "white" : "black"} and easy to read ({ratio(text)}).
        </span>
      </li>
      {places.map(({ where, against }) =>
        contrast(colour, against) >= enough ? (
          <li key={where} className="flex items-start gap-1.5">
            <CircleCheck className="mt-0.5 size-3.5 shrink-0 text-success-text" aria-hidden />
            <span>
              Buttons stand out well on {where} ({ratio(against)}).
            </span>
          </li>
        ) : (
          <li key={where} className="flex items-start gap-1.5 text-warning-text">
            <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            <span>
              Buttons hardly stand out on {where} ({ratio(against)}; 3 : 1 is enough).
            </span>
          </li>
        ),
      )}
    </ul>
  );
}
