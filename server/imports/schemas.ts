import { z } from "zod";
import { pageQuery } from "../kernel/page.ts";
import { importLimits, importKinds, type ImportKindName } from "./vocabulary.ts";

export const importStates = [
  "uploading",
  "mapping",
  "checking",
  "checked",
  "running",
  "finished",
  "canceled",
  "failed",
] as const;
export type ImportState = (typeof importStates)[number];

/** What may be the same for every row instead of standing in a column. */
export const importConstants = ["channel", "state", "class", "region", "reason"] as const;

const plain = /^\P{Cc}*$/u;
const target = z.string().min(1).max(80).regex(plain);

export const importMappingSchema = z.strictObject({
  columns: z
    .array(target.nullable())
    .min(1)
    .max(importLimits.columns)
    .meta({ description: "What each column of the file becomes; null: it is left out" }),
  constants: z.partialRecord(z.enum(importConstants), z.string().min(1).max(40).regex(plain)).default({}),
  groupIds: z.array(z.uuid()).max(importLimits.groups).default([]),
});
export type ImportMapping = z.output<typeof importMappingSchema>;

export const importInputSchema = z.strictObject({
  kind: z.enum(importKinds),
  environmentId: z.uuid(),
  fileName: z.string().trim().min(1).max(200).regex(plain),
  size: z
    .int()
    .min(1, { error: "The file is empty" })
    .max(importLimits.bytes, { error: "A file may have up to 200 MB: split it" }),
});
export type ImportInput = z.output<typeof importInputSchema>;

const byId = { id: z.uuid() };
export const importIdSchema = z.strictObject(byId);
export const importPieceSchema = z.strictObject({
  ...byId,
  offset: z.int().min(0),
  data: z.base64().max(Math.ceil(importLimits.pieceBytes / 3) * 4),
});
export const importCheckSchema = z.strictObject({ ...byId, mapping: importMappingSchema });

export const importListSchema = z.object({ ...pageQuery, kind: z.enum(importKinds).optional() });

/** An import, as lists show it. */
export interface ImportView {
  id: string;
  kind: ImportKindName;
  state: ImportState;
  environmentId: string;
  fileName: string;
  size: number;
  received: number;
  encoding: string | null;
  delimiter: string | null;
  mapping: ImportMapping | null;
  rows: number;
  counts: Record<"created" | "updated" | "unchanged" | "failed", number>;
  /** How far it has come, 0 to 1. */
  share: number;
  problem: string | null;
  startedBy: string;
  createdAt: string;
  finishedAt: string | null;
}

export interface ImportErrorView {
  row: number;
  column: string | null;
  detail: string;
}

/** What the page of an import shows. */
export interface ImportDetails extends ImportView {
  /** Imports of the organisation that come first. */
  ahead: number;
  /** The beginning of the file; null once it is gone, rows null for those who may not see them. */
  head: { header: string[]; rows: string[][] | null; guesses: ImportMapping } | null;
  errors: ImportErrorView[];
}

/** Query of the export of contacts. */
export const contactExportSchema = z.strictObject({ groupId: z.uuid().optional() });

/** Query of the export of suppressions. */
export const suppressionExportSchema = z.strictObject({ environmentId: z.uuid() });

/** Query of the export of consent. */
export const consentExportSchema = z.strictObject({
  environmentId: z.uuid(),
  what: z.enum(["ledger", "standing"]),
});
