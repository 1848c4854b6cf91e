import { recordAudit } from "../audit/record-audit.ts";
import { fieldErrors } from "../kernel/closest-issues.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { refuseBlocked } from "../moderation/moderate-texts.ts";
import { examineTexts } from "../rendering/render-pool.ts";
import { invalidTemplate } from "../template-language/render.ts";
import { toContent } from "../templates/save-version.ts";
import { templateCreateSchema } from "../templates/schemas.ts";
import type { TemplateCreate } from "../templates/schemas.ts";
import { requireApplication } from "../templates/template-access.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { requireNotificationType } from "../tenancy/unknown-names.ts";
import { folderOf, readFolders, toFiles } from "./files.ts";
import type { FileTemplate, Folder } from "./files.ts";
import { getImport, isOwn, requireImport } from "./present-import.ts";
import { lockImport, selectByNames } from "./queries.ts";
import type { PlannedTemplate, StoredTemplate } from "./queries.ts";
import { refuseAgent } from "./refuse-agent.ts";
import { fileLimits } from "./schemas.ts";
import type { ImportPlan, TemplateImport } from "./schemas.ts";

/** How long the checks of one template may wait for their turn, ms. */
const patienceMs = 30_000;

interface PlannedItem {
  path: string;
  templateId: string | null;
  action: "create" | "update" | "unchanged" | "invalid";
  baseVersion: number | null;
  content: FileTemplate | null;
  problem: { code: string; detail: string; errors: FieldError[] } | null;
}

/**
 * Reads files and plans their changes: only the plan is saved, which `startImport` carries out. Called again with
 * `importId` it adds to the caller's own plan; a folder that was planned before is planned again. Texts are checked here
 * by the deterministic checks; the AI service is called when they are saved. Throws `unknown_application`, `conflict` for
 * an import that has started or that somebody else began, `agent_limit` for an agent whose templates would be live in
 * production at once, `invalid_request`.
 */
export async function planImport(ctx: Ctx, input: ImportPlan): Promise<TemplateImport> {
  const earlier =
    input.importId === undefined ? undefined : await requireImport(ctx, "templates:write", input.importId);
  if (earlier?.state === "planned" && !isOwn(ctx, earlier)) {
    throw new DomainError(
      "conflict",
      `This import was begun by ${earlier.actorName}, and only they add files to it. Make another one.`,
    );
  }
  const { catalogue, application } = await requireApplication(
    ctx,
    "templates:write",
    earlier?.application ?? input.application,
  );
  const folders = readFolders(input.files);
  const items = await planFolders(ctx, catalogue, application.id, folders);
  if (items.some(changes)) await refuseAgent(ctx, catalogue, application.id);
  const importId = earlier?.id ?? newId();
  await inTenant(ctx, async (tx) => {
    const { tenantId } = ctx;
    if (!earlier) {
      await tx.templateImport.create({
        data: {
          tenantId,
          id: importId,
          applicationId: application.id,
          state: "planned",
          note: input.note ?? null,
          actorType: ctx.actor.type,
          actorId: ctx.actor.id,
          actorName: ctx.actor.name,
          createdAt: ctx.now(),
        },
      });
    }
    const locked = await lockImport(tx, tenantId, importId);
    if (!locked) throw notFound();
    if (locked.state !== "planned") {
      throw new DomainError("conflict", "This import has started; make another one for more files.");
    }
    const { count } = await tx.templateImportItem.deleteMany({
      where: { tenantId, importId, path: { in: items.map((item) => item.path) } },
    });
    if (locked.items - count + items.length > fileLimits.templates) {
      throw new DomainError(
        "invalid_request",
        `One import has at most ${String(fileLimits.templates)} templates.`,
      );
    }
    // Positions are never reused: they grow past all that there were before.
    const first = (locked.lastPosition ?? -1) + 1;
    await tx.templateImportItem.createMany({
      data: items.map(({ content, problem, ...item }, index) => ({
        tenantId,
        importId,
        position: first + index,
        ...item,
        content: JSON.parse(JSON.stringify(content && written(ctx, content))) as object,
        state: changes(item) ? "planned" : "skipped",
        ...(problem ? { problem: JSON.parse(JSON.stringify(problem)) as object } : {}),
      })),
    });
    if (!earlier) {
      await recordAudit(ctx, tx, {
        action: "template_import.planned",
        targetType: "template_import",
        targetId: importId,
        unitId: application.unitId,
        data: { application: application.name },
        after: { state: "planned" },
      });
    }
  });
  return getImport(ctx, { id: importId });
}

const changes = ({ action }: Pick<PlannedItem, "action">) => action === "create" || action === "update";

/** What an agent planned is not a person's, whoever starts it. */
function written(ctx: Ctx, content: FileTemplate): PlannedTemplate {
  const byAgent = ctx.actor.type === "apiKey" && ctx.actor.agent !== undefined;
  return byAgent ? { ...content, provenance: { kind: "ai_drafted" } } : content;
}

async function planFolders(
  ctx: Ctx,
  catalogue: Catalogue,
  applicationId: string,
  folders: readonly Folder[],
): Promise<PlannedItem[]> {
  const names = new Set(folders.flatMap(({ template }) => (template ? [template.name] : [])));
  const stored = new Map(
    (await selectByNames(ctx, applicationId, [...names])).map((row) => [folderOf(row), row]),
  );
  const items: PlannedItem[] = [];
  for (const folder of folders)
    items.push(await planFolder(ctx.tenantId, catalogue, folder, stored.get(folder.path)));
  return items;
}

async function planFolder(
  tenantId: string,
  catalogue: Catalogue,
  folder: Folder,
  stored: (StoredTemplate & { archived: boolean }) | undefined,
): Promise<PlannedItem> {
  const base = {
    path: folder.path,
    templateId: stored?.id ?? null,
    baseVersion: stored?.version ?? null,
    content: folder.template,
  };
  const invalid = (code: string, errors: readonly FieldError[], detail: string): PlannedItem => ({
    ...base,
    action: "invalid",
    problem: { code, detail, errors: errors.slice(0, 20) },
  });
  if (!folder.template) {
    const errors = folder.problems.map((problem) => ({ pointer: "", ...problem }));
    return invalid("invalid_files", errors, errors[0]?.detail ?? "The folder holds no template.");
  }
  if (stored?.archived) {
    const detail =
      "This template is archived. Restore it in the portal, or take its folder out of the files.";
    return invalid("archived", [{ pointer: "", code: "archived", detail }], detail);
  }
  const parsed = templateCreateSchema.safeParse(folder.template);
  if (!parsed.success) {
    const errors = fieldErrors(parsed.error);
    return invalid("invalid_request", errors, `${errors[0]?.pointer ?? ""}: ${errors[0]?.detail ?? ""}`);
  }
  const content = toContent(parsed.data.channel, parsed.data);
  const {
    content: compiled,
    problems,
    findings,
  } = await examineTexts(tenantId, content, {
    patienceMs,
    language: parsed.data.language ?? null,
  });
  try {
    if (!compiled || problems.length > 0) throw invalidTemplate(problems);
    // Blocks of the deterministic checks are known now; the AI service is called when a text is saved.
    refuseBlocked({ checkedBy: ["deterministic"], findings });
    requireNotificationType(catalogue, parsed.data.notificationType, parsed.data.notificationSubtype);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return invalid(error.code, error.errors, error.message);
  }
  const changed = (["notificationType", "notificationSubtype"] as const).find(
    (member) => stored && stored[member] !== parsed.data[member],
  );
  if (stored && changed !== undefined) {
    const detail = `The template is for ${stored.notificationType} / ${stored.notificationSubtype}; what a template is for cannot change.`;
    return invalid("invalid_request", [{ pointer: `/${changed}`, code: "immutable", detail }], detail);
  }
  const fileTemplate = asFile(parsed.data);
  return {
    ...base,
    content: fileTemplate,
    action: !stored ? "create" : sameFiles(stored, fileTemplate) ? "unchanged" : "update",
    problem: null,
  };
}

/** A checked request in the form of files, with defaults filled in. */
function asFile(create: TemplateCreate): FileTemplate {
  return {
    name: create.name,
    notificationType: create.notificationType,
    notificationSubtype: create.notificationSubtype,
    channel: create.channel,
    region: create.region ?? null,
    language: create.language ?? null,
    provider: create.provider ?? null,
    subject: create.subject ?? null,
    body: create.body,
    metadata: { ...create.metadata },
    variables: create.variables,
  };
}

/** Whether two templates would be written as the same bytes. */
export function sameFiles(a: FileTemplate, b: FileTemplate): boolean {
  return JSON.stringify(toFiles(a)) === JSON.stringify(toFiles(b));
}
