import type { startPasskeySchema } from "../../server/access/schemas.ts";
import { TextField } from "../ui/form-fields.tsx";
import type { useOperationForm } from "../ui/use-operation-form.ts";

type ProofForm = ReturnType<
  typeof useOperationForm<{ password: string; code: string }, typeof startPasskeySchema>
>;

/** That it is still the person themselves: their password, and a code of whoever has a second factor. */
export function ProofFields({ form, code }: { form: { field: unknown }; code: boolean }) {
  const { field } = form as Pick<ProofForm, "field">;
  return (
    <>
      <TextField
        {...field("password")}
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      {code ? (
        <TextField
          {...field("code")}
          label="Code"
          hint="A new code from the app, or a recovery code."
          autoComplete="one-time-code"
          required
        />
      ) : null}
    </>
  );
}
