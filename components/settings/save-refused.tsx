"use client";

import { errorCode, errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";

/** Why settings that several people change were not saved; somebody faster's are read again before one's own are repeated. */
export function SaveRefused({
  error,
  changed,
  unsaved,
  again,
  onAgain,
}: {
  error: unknown;
  /** What it says when somebody else has changed them. */
  changed: string;
  /** ... and when it is anything else. */
  unsaved: string;
  /** What the button says that reads them again. */
  again: string;
  onAgain: () => void;
}) {
  if (!error) return null;
  const conflict = errorCode(error) === "revision_conflict";
  return (
    <FormError title={conflict ? changed : unsaved}>
      {conflict ? (
        <>
          Review the latest version and repeat your change.{" "}
          <Button variant="link" onClick={onAgain}>
            {again}
          </Button>
        </>
      ) : (
        errorText(error)
      )}
    </FormError>
  );
}
