import { Segmented } from "../ui/segmented.tsx";
import { periodLabel } from "./period.ts";

/** Of which period charts tell. */
export function PeriodPicker<T extends keyof typeof periodLabel>({
  value,
  options,
  onChange,
}: {
  value: T;
  options: readonly T[];
  onChange: (period: T) => void;
}) {
  return (
    <Segmented
      label="Period"
      value={value}
      onValueChange={onChange}
      options={options.map((period) => ({
        value: period,
        label: period.replace(/(\d+)/, "$1 "),
        title: periodLabel[period],
      }))}
    />
  );
}
