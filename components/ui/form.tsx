"use client";

import { useEffect, useRef, useState, type ComponentProps } from "react";
import { FormError } from "./field.tsx";
import { checkFields, complaintAbout, ControlComplaints } from "./form-complaints.ts";

const isControl = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

/** What the control of a name holds; the empty text where there is none. */
export type TypedText = (name: string) => string;

/**
 * A form that keeps its values itself; one that sends an operation's input is better off with `useOperationForm`. What `required`,
 * `type`, `minLength` and their like ask of a control is told at its `Field`, never in a bubble of the browser, and the first wrong
 * one gets the focus. `onSubmit` is called with what was typed when nothing is wrong.
 */
export function Form({
  onSubmit,
  refused,
  children,
  ...props
}: Omit<ComponentProps<"form">, "onSubmit" | "noValidate" | "ref"> & {
  onSubmit: (typed: TypedText) => unknown;
  /** What the service answered, if it did not take the form: the first field that it complains of gets the focus. */
  refused?: unknown;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [complaints, setComplaints] = useState<Readonly<Record<string, string>>>({});
  /** Complaints about controls without a field. */
  const [others, setOthers] = useState<readonly string[]>([]);

  useEffect(() => {
    if (!refused) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not(:disabled)')?.focus();
  }, [refused]);

  function judge(): boolean {
    const wrong = [...(form.current?.elements ?? [])].filter(isControl).flatMap((control) => {
      const complaint = control.willValidate ? complaintAbout(control) : undefined;
      return complaint === undefined ? [] : [{ control, complaint }];
    });
    const hasField = ({ control }: (typeof wrong)[number]) => control.closest("[data-control]") !== null;
    setComplaints(
      Object.fromEntries(wrong.filter(hasField).map(({ control, complaint }) => [control.id, complaint])),
    );
    setOthers(
      wrong
        .filter((each) => !hasField(each))
        .map(({ control, complaint }) => `${control.getAttribute("aria-label") ?? ""}: ${complaint}`),
    );
    wrong[0]?.control.focus();
    return wrong.length === 0;
  }

  return (
    <ControlComplaints value={complaints}>
      <form
        {...props}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // One of a dialog within this one, which React passes on.
          if (event.target !== event.currentTarget) return;
          const fields = new FormData(event.currentTarget);
          if (!judge()) return;
          onSubmit((name) => {
            const value = fields.get(name);
            return typeof value === "string" ? value : "";
          });
        }}
        onInput={({ target }) => {
          if (!(target instanceof Element) || !Object.hasOwn(complaints, target.id)) return;
          const { [target.id]: _, ...left } = complaints;
          setComplaints(left);
        }}
      >
        {Object.keys(complaints).length > 0 || others.length > 0 ? (
          <FormError title={checkFields}>
            {others.length > 0 ? others.map((each) => <p key={each}>{each}</p>) : null}
          </FormError>
        ) : null}
        {children}
      </form>
    </ControlComplaints>
  );
}
