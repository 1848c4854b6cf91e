import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

/** Which organisation's account somebody means, where there are several. */
export function OrganisationField({ organisation }: { organisation: string }) {
  return (
    <Field label="Organisation" hint="Its short name, as in its portal address">
      {(control) => (
        <Input
          {...control}
          name="organisation"
          defaultValue={organisation}
          autoComplete="organization"
          autoCapitalize="none"
          maxLength={60}
          required
          className="h-10 sm:text-base"
        />
      )}
    </Field>
  );
}
