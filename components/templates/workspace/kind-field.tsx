"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { usePortal } from "../../portal/portal-context.tsx";
import { useTRPC } from "../../trpc/client.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Field } from "../../ui/field.tsx";

const NewType = dynamic(() => import("../../settings/new-type-dialog.tsx").then((module) => module.NewType));
const NewSubtype = dynamic(() =>
  import("../../settings/new-subtype-dialog.tsx").then((module) => module.NewSubtype),
);

type Making = { type: string; subtypes: string; exists: boolean };

/**
 * Which notification type and subtype a template is for, as `type/subtype`. One that is missing is created here by whoever may;
 * the others read whom to ask.
 */
export function KindField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (kind: string) => void;
  error: string | undefined;
}) {
  const { canIn } = usePortal();
  const trpc = useTRPC();
  const [making, setMaking] = useState<Making | null>(null);
  const mayCreate = canIn("organization:manage", null);
  const types = useQuery(trpc.tenancy.notificationTypes.queryOptions(undefined, { staleTime: 60_000 }));
  const known = types.data?.data ?? [];
  const kinds = known.flatMap((each) =>
    each.subtypes.map((subtype) => ({
      value: `${each.type}/${subtype}`,
      text: `${each.type} / ${subtype}`,
      hint: each.class,
    })),
  );
  const partsOf = (typed: string) => {
    const [type = "", subtypes = ""] = typed
      .toLowerCase()
      .split(/[\s/]+/)
      .filter(Boolean);
    return { type, subtypes, exists: known.some((each) => each.type === type) };
  };
  const close = () => setMaking(null);
  const created = ({ type, subtypes }: { type: string; subtypes: string[] }) =>
    onChange(`${type}/${subtypes[0] ?? ""}`);

  return (
    <Field label="Notification type" error={error}>
      {(control) => (
        <>
          <Combobox
            {...control}
            value={value}
            onValueChange={onChange}
            options={kinds}
            searchLabel="Search types"
            actions={
              mayCreate
                ? [
                    {
                      label: (typed) => {
                        const { type, exists } = partsOf(typed);
                        if (exists) return `Create subtype of ${type}…`;
                        return type === "" ? "Create type…" : `Create type “${type}”…`;
                      },
                      onSelect: (typed) => setMaking(partsOf(typed)),
                    },
                  ]
                : []
            }
            note={mayCreate ? undefined : <TypeManagers />}
          />
          {making?.exists ? (
            <NewSubtype type={making.type} start={making.subtypes} onClose={close} onCreated={created} />
          ) : making ? (
            <NewType
              start={{ type: making.type, subtypes: making.subtypes }}
              onClose={close}
              onCreated={created}
            />
          ) : null}
        </>
      )}
    </Field>
  );
}

/** Whom to ask for a type that is missing. */
function TypeManagers() {
  const trpc = useTRPC();
  const query = useQuery(trpc.tenancy.typeManagers.queryOptions(undefined, { staleTime: 300_000 }));
  const { names = [], more = false } = query.data ?? {};
  if (names.length === 0) return "Only an administrator can create types.";
  return `${more ? `${names.join(", ")} and others` : new Intl.ListFormat("en", { type: "conjunction" }).format(names)} can create types.`;
}
