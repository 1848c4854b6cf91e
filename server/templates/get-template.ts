import type { Ctx } from "../kernel/ctx.ts";
import { presentTemplate, requireTemplate } from "./present-template.ts";
import type { Template } from "./schemas.ts";

/** A template with its history and the content of a version, by default the latest. */
export async function getTemplate(
  ctx: Ctx,
  input: { id: string; version?: number | undefined },
): Promise<Template> {
  return presentTemplate(ctx, await requireTemplate(ctx, "templates:read", input.id), input.version);
}
