"use client";

import { useId, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FormRefusal } from "./form-fields.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import type { SubmittedForm } from "./use-operation-form.ts";

/** A dialog that holds the form of an operation. Drawn while it is open, so that the next time begins afresh. */
export function FormDialog({
  form,
  title,
  description,
  submitLabel,
  cancelLabel = "Cancel",
  danger = false,
  disabled,
  aside,
  refused,
  result,
  mustAnswer = false,
  className,
  formClassName = "grid gap-4",
  onClose,
  children,
}: {
  form: SubmittedForm;
  title: ReactNode;
  description?: ReactNode;
  submitLabel: ReactNode;
  cancelLabel?: string;
  danger?: boolean;
  disabled?: boolean;
  /** A further way on, left of the buttons. */
  aside?: ReactNode;
  /** Says more of what the service answered than its sentence. */
  refused?: (error: unknown) => ReactNode;
  /** Takes the place of the form once it was sent. */
  result?: { body: ReactNode; footer: ReactNode } | null;
  /** Only its buttons close it now: what it shows is not shown again. */
  mustAnswer?: boolean;
  className?: string;
  formClassName?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const formId = useId();
  const [typed, setTyped] = useState(false);
  const { refusal } = form;
  const holdsText = typed && !result;
  return (
    <Dialog
      open
      onClose={mustAnswer ? undefined : onClose}
      keepOpen={holdsText}
      title={title}
      description={description}
      className={className}
      footer={
        result?.footer ?? (
          <>
            {aside}
            <Button onClick={onClose}>{cancelLabel}</Button>
            <Button
              type="submit"
              form={formId}
              variant={danger ? "danger" : "primary"}
              disabled={disabled}
              pending={form.pending}
            >
              {submitLabel}
            </Button>
          </>
        )
      }
    >
      {result?.body ?? (
        // Without bubbles of the browser: what is wrong stands at its field.
        <form
          id={formId}
          noValidate
          className={formClassName}
          onInput={() => setTyped(true)}
          onSubmit={form.submit}
        >
          {refusal ? (
            <div className="col-span-full">
              {refused && refusal.error !== undefined ? (
                refused(refusal.error)
              ) : (
                <FormRefusal refusal={refusal} />
              )}
            </div>
          ) : null}
          {children}
        </form>
      )}
      {holdsText || mustAnswer ? (
        // A panel that it is opened from, or the environment that it is for, goes with the address.
        <LeaveGuard
          onDiscard={onClose}
          ofEnvironment
          parameter="open"
          title={holdsText ? undefined : "Leave this page?"}
        >
          {holdsText ? "What you entered will be lost." : "What is shown here can't be shown again."}
        </LeaveGuard>
      ) : null}
    </Dialog>
  );
}
