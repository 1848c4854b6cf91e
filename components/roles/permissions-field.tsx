"use client";

import { permissionTexts, permissions, type Permission } from "../../server/access/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";

const groups = Object.entries(Object.groupBy(permissions, (permission) => permissionTexts[permission].group));

/** All permissions with what each means. What the reader does not have in the whole organisation cannot be ticked. */
export function PermissionsField({
  value,
  onChange,
}: {
  value: readonly Permission[];
  onChange: (value: Permission[]) => void;
}) {
  const { canIn } = usePortal();
  return (
    <div className="grid gap-4 rounded-md border border-line p-4">
      {groups.map(([group, members = []]) => (
        <fieldset key={group}>
          <legend className="mb-2 text-xs font-medium text-ink-muted">{group}</legend>
          <div className="grid gap-2.5 sm:grid-cols-2">
            {members.map((permission) => {
              const mine = canIn(permission, null);
              return (
                <CheckboxField
                  key={permission}
                  label={permissionTexts[permission].name}
                  checked={value.includes(permission)}
                  disabled={!mine}
                  onChange={(on) =>
                    onChange(on ? [...value, permission] : value.filter((each) => each !== permission))
                  }
                >
                  {permissionTexts[permission].explanation}
                  {mine ? null : " You don't have this permission in the whole organisation."}
                </CheckboxField>
              );
            })}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
