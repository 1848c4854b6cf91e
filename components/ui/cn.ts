import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  extend: { classGroups: { "font-size": [{ text: ["2xs", "xs", "sm", "base", "lg", "xl", "2xl"] }] } },
});

/** Joins class names; a later Tailwind utility replaces an earlier one of the same kind. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values));
}
