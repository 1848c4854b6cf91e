/** Templates as files, for REST, tRPC and pages. Safe in the browser. */
import { z } from "zod";

export const fileLimits = {
  /** Templates of one import. */
  templates: 1_000,
  /** Files of one call; the rest follows in further calls for the same import. */
  filesPerCall: 2_000,
  /** Characters of one path. */
  path: 400,
  /** Templates of one page of an export. */
  page: 50,
} as const;

export const templateFileSchema = z.object({
  path: z.string().min(1).max(fileLimits.path).meta({
    description: "With slashes, below the folder of the application",
    example: "order-shipped/email.lang-de/body.html",
  }),
  content: z.string().meta({ description: "The file's text in UTF-8" }),
});
export type TemplateFile = z.output<typeof templateFileSchema>;

const application = z.string().min(1).max(128);
const environment = z.string().min(1).max(64);

/** Query of GET /v1/template-files. */
export const filesQuerySchema = z.object({
  application: application.optional().meta({ example: "webshop" }),
  environment: environment.optional().meta({
    description: "Short name or id: the versions that are live there; without it the latest ones",
  }),
  cursor: z.string().max(500).optional(),
});
export type FilesQuery = z.output<typeof filesQuerySchema>;

export const filesPageSchema = z.object({
  application: z.string(),
  templates: z.int().meta({ description: "How many templates these files hold" }),
  files: z.array(templateFileSchema),
  nextCursor: z.string().nullable(),
});

/** Body of POST /v1/template-imports: creates an import, or adds files to one that is still being planned. */
export const importPlanSchema = z.strictObject({
  importId: z.uuid().optional().meta({ description: "Adds to this import instead of making one" }),
  application: application.optional().meta({ example: "webshop" }),
  files: z.array(z.strictObject(templateFileSchema.shape)).min(1).max(fileLimits.filesPerCall),
  note: z.string().trim().max(1_000).optional().meta({ description: "The note of every version it makes" }),
});
export type ImportPlan = z.output<typeof importPlanSchema>;

export const importActions = ["create", "update", "unchanged", "invalid"] as const;
export const importItemStates = ["planned", "done", "failed", "skipped"] as const;
export const importStates = ["planned", "running", "finished", "canceled"] as const;

export const importItemSchema = z.object({
  position: z.int(),
  path: z.string().meta({ description: "The template's folder" }),
  templateId: z.uuid().nullable(),
  action: z.enum(importActions),
  state: z.enum(importItemStates),
  version: z.int().nullable().meta({ description: "The version that it became" }),
  problem: z
    .object({
      code: z.string(),
      detail: z.string(),
      errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })),
    })
    .nullable(),
});
export type ImportItem = z.output<typeof importItemSchema>;

const count = z.int();
export const importSchema = z.object({
  id: z.uuid(),
  application: z.string(),
  applicationId: z.uuid(),
  state: z.enum(importStates),
  note: z.string().nullable(),
  by: z.string(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  counts: z.object({
    create: count,
    update: count,
    unchanged: count,
    invalid: count,
    done: count,
    failed: count,
  }),
  items: z.array(importItemSchema).meta({ description: "In the order of their paths; empty in lists" }),
});
export type TemplateImport = z.output<typeof importSchema>;

export const importListSchema = z.object({ data: z.array(importSchema) });
