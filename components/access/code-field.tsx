import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

/** Where the code of a second factor is asked for at the sign-in. */
export function CodeField() {
  return (
    <Field label="Code" hint="From your authenticator app, or a recovery code.">
      {(control) => (
        <Input
          {...control}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          autoFocus
          className="h-10 font-mono sm:text-base"
        />
      )}
    </Field>
  );
}
