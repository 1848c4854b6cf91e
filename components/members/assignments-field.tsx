"use client";

import { Plus, X } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";
import { useGrantable } from "./use-grantable.ts";

export type AssignmentChoice = { role: string; place: string };

/** Roles and where each holds: one line a role. */
export function AssignmentsField({
  value,
  onChange,
}: {
  value: readonly AssignmentChoice[];
  onChange: (value: AssignmentChoice[]) => void;
}) {
  const { places, roleOptions } = useGrantable();
  const change = (index: number, next: Partial<AssignmentChoice>) =>
    onChange(value.map((each, at) => (at === index ? { ...each, ...next } : each)));
  return (
    <div className="grid gap-2">
      {value.map((each, index) => {
        const line = value.length > 1 ? ` ${String(index + 1)}` : "";
        return (
          <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-2">
            <Select
              aria-label={`Role${line}`}
              value={each.role}
              onValueChange={(role) => change(index, { role })}
              options={roleOptions(each.place)}
              placeholder="Role…"
            />
            <Select
              aria-label={`Where${line}`}
              value={each.place}
              onValueChange={(place) => change(index, { place })}
              options={places}
            />
            <Button
              variant="ghost"
              size="iconSm"
              aria-label={`Remove role${line}`}
              disabled={value.length === 1}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            >
              <X aria-hidden />
            </Button>
          </div>
        );
      })}
      <Button
        size="sm"
        variant="ghost"
        className="justify-self-start"
        onClick={() =>
          onChange([...value, { role: "", place: value.at(-1)?.place ?? places[0]?.value ?? "" }])
        }
      >
        <Plus aria-hidden /> Add role
      </Button>
    </div>
  );
}
