"use client";

import type { ImportView } from "../../server/imports/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";

type Kind = ImportView["kind"];

/** What the reader may import; null: nothing. */
export function useImportKinds(): readonly [Kind, ...Kind[]] | null {
  const { canIn } = usePortal();
  const [first, ...others]: Kind[] = [
    ...(canIn("contacts:write", null) ? (["contacts"] as const) : []),
    ...(canIn("consent:write", null) ? (["consent", "suppressions"] as const) : []),
  ];
  return first === undefined ? null : [first, ...others];
}
