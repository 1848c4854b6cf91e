"use client";

import { z } from "zod";
import { usePortal } from "../portal/portal-context.tsx";
import { errorCode, errorMember, errorText } from "../trpc/error-text.ts";
import { FormError } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";

/** What a promotion_conflict says of each template; further members are for programs. */
const conflictsSchema = z.array(
  z.object({
    templateId: z.string(),
    name: z.string(),
    detail: z.string(),
    promotion: z.object({ id: z.string() }).nullable(),
  }),
);
const shownConflicts = 5;

/** Why a promotion was refused; for a conflict, what moved or is under way, with the way to it. */
export function PromotionRefusal({ error }: { error: unknown }) {
  const { href } = usePortal();
  const conflicts =
    errorCode(error) === "promotion_conflict"
      ? (conflictsSchema.safeParse(errorMember(error, "conflicts")).data ?? [])
      : [];
  const rest = conflicts.length - shownConflicts;
  return (
    <FormError title={errorText(error)}>
      {conflicts.length > 0 ? (
        <ul className="grid gap-1">
          {conflicts.slice(0, shownConflicts).map((conflict) => (
            <li key={conflict.templateId}>
              {/* The sentence above has told the only one already. */}
              {conflicts.length > 1 ? (
                <>
                  <span className="font-medium">{conflict.name}</span>: {conflict.detail}.{" "}
                </>
              ) : null}
              {conflict.promotion ? (
                <Link href={href(`/pipeline/promotions/${conflict.promotion.id}`)} className="underline">
                  Open that promotion
                </Link>
              ) : null}
            </li>
          ))}
          {rest > 0 ? <li>and {plural(rest, "more template")}</li> : null}
        </ul>
      ) : null}
    </FormError>
  );
}
