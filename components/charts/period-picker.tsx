import { Segmented } from "../ui/segmented.tsx";
import { periodLabel, periods, type Period } from "./period.ts";

/** Of which period charts tell. */
export function PeriodPicker({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  return (
    <Segmented
      label="Period"
      value={value}
      onValueChange={onChange}
      options={periods.map((period) => ({
        value: period,
        label: period.replace(/(\d+)/, "$1 "),
        title: periodLabel[period],
      }))}
    />
  );
}
