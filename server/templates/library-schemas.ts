/** The portal's library: templates grouped by name, coverage, copies. */
import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import type { Channel } from "../kernel/channel.ts";
import type { WhatsappApprovalStatus } from "../template-language/metadata.ts";
import { templateCreateSchema, templateSearchSchema } from "./schemas.ts";

const { shape } = templateCreateSchema;
const { name } = shape;

/** Filters of the library: templates by application and name. */
export const templateGroupQuerySchema = z.object({
  search: templateSearchSchema.optional(),
  application: name.optional(),
  name: name.optional(),
  unitId: z.uuid().optional(),
  channel: channelSchema.optional(),
  notificationType: shape.notificationType.optional(),
  /** The archived ones, and only those. */
  archived: z.boolean().default(false),
  /** Only variants that are in use in this environment: live and not switched off. */
  liveIn: z.uuid().optional(),
  /** Only variants that some stages of the pipeline have in another version, or not at all. */
  differing: z.boolean().default(false),
  sort: z.enum(["name", "changed"]).default("name"),
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(2_000).optional(),
});
export type TemplateGroupQuery = z.output<typeof templateGroupQuerySchema>;

/** One template of a name: its audience, and where it is live. */
export interface TemplateVariant {
  id: string;
  channel: Channel;
  region: string | null;
  language: string | null;
  provider: string | null;
  latestVersion: number;
  /** Of the latest version. */
  author: string;
  note: string | null;
  findings: number;
  /** Of the approved template that the latest version names; null: it names none. */
  whatsappApproval: WhatsappApprovalStatus | null;
  updatedAt: string;
  archivedAt: string | null;
  /** In the tenant's order of environments; of an archived one: where it was live. */
  deployments: { environmentId: string; version: number; disabled: boolean }[];
}

export interface TemplateGroup {
  application: string;
  applicationId: string;
  name: string;
  notificationType: string;
  notificationSubtype: string;
  /** The last change of a variant that matches, and who made its latest version. */
  changedAt: string;
  changedBy: string;
  /** How many variants the name has, and how many of them match. */
  total: number;
  matching: number;
  /** Findings that moderation kept with the latest versions of those that match. */
  findings: number;
  /** Of those that match: how many an environment uses, has switched off, or has in an older version. */
  environments: { environmentId: string; live: number; disabled: number; behind: number }[];
  /** Those that match, by channel, region, language and provider; at most 200. */
  variants: TemplateVariant[];
}

export const templateCoverageQuerySchema = z.object({
  application: name,
  name,
  environmentId: z.uuid(),
});
export type TemplateCoverageQuery = z.output<typeof templateCoverageQuerySchema>;

/** How a part of the audience was matched; `default` is the application's default language. */
export type CoverageMatch = "exact" | "default" | "any";

/** Which template a message would be made from. */
export interface CoverageCell {
  /** null: a region (or language) that no variant names. */
  region: string | null;
  language: string | null;
  /** What requests by name get; null: they are refused with unknown_template. */
  templateId: string | null;
  match: { region: CoverageMatch; language: CoverageMatch; provider: CoverageMatch } | null;
  /** The reason in a sentence. */
  why: string;
  /** What requests by type get, where that is a template of another name. */
  byType: { templateId: string; name: string } | null;
  /** A variant that matches better but is not used here, and why. */
  unused: { templateId: string; because: "not_live" | "switched_off" } | null;
}

/** Every region and language of a channel, for messages through one provider. */
export interface CoverageMatrix {
  channel: Channel;
  /** Adapter that carries the message; null: one that no variant names. */
  provider: string | null;
  /** Ends with null, any other. */
  regions: (string | null)[];
  languages: (string | null)[];
  /** By region, then by language. */
  cells: CoverageCell[];
}

export interface TemplateCoverage {
  application: string;
  applicationId: string;
  name: string;
  notificationType: string;
  notificationSubtype: string;
  environmentId: string;
  defaultRegion: string;
  defaultLanguage: string;
  /** Everything that cells refer to, including templates of other names. */
  templates: {
    id: string;
    name: string;
    channel: Channel;
    region: string | null;
    language: string | null;
    provider: string | null;
    /** Live in the environment; null: not live there. */
    version: number | null;
    disabled: boolean;
    latestVersion: number;
  }[];
  /** Regions, languages or providers that are left out. */
  truncated: boolean;
  matrices: CoverageMatrix[];
}
