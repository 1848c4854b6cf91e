/** Inputs of the directory's procedures, and its limits. Browser-safe. */
import { z } from "zod";

/** The name at which the proof of a domain stands in its DNS. */
export const proofName = (domain: string): string => `_tidings.${domain}`;

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

/** A domain as it stands after the @ of an address. */
export const domainNameSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(new RegExp(`^(?:${label}\\.)+${label}$`), { error: "Something like example.com" });

export const addDomainSchema = z.strictObject({ name: domainNameSchema });
export type AddDomainInput = z.input<typeof addDomainSchema>;

export const domainSchema = z.strictObject({ id: z.uuid() });
export type DomainInput = z.infer<typeof domainSchema>;

/** A domain as the portal shows it. */
export interface ListedDomain {
  id: string;
  name: string;
  verifiedAt: Date | null;
  createdBy: string;
  createdAt: Date;
  /** The record that proves it: its name and its text. */
  record: { name: string; text: string };
}

export const createTokenSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" }),
});
export type CreateTokenInput = z.input<typeof createTokenSchema>;

export const tokenSchema = z.strictObject({ id: z.uuid() });
export type TokenInput = z.infer<typeof tokenSchema>;

/** A token as the portal shows it; never its text. */
export interface ListedToken {
  id: string;
  name: string;
  hint: string;
  createdBy: string;
  createdAt: Date;
  /** It was replaced and ends then. */
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

export const listGroupsSchema = z.strictObject({
  /** A part of the name. */
  search: z.string().trim().max(200).optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type ListGroupsInput = z.input<typeof listGroupsSchema>;

/** A group of the directory, with the roles that it gives. */
export interface ListedGroup {
  id: string;
  name: string;
  members: number;
  createdAt: Date;
  roles: {
    /** Id of the mapping. */
    id: string;
    role: { key: string; name: string; permissions: string[] };
    unitId: string | null;
    createdBy: string;
    createdAt: Date;
  }[];
}

export const mapGroupSchema = z.strictObject({
  groupId: z.uuid(),
  role: z.string().min(1).max(64),
  /** null: the whole organisation. */
  unitId: z.uuid().nullable(),
});
export type MapGroupInput = z.infer<typeof mapGroupSchema>;

export const unmapGroupSchema = z.strictObject({ id: z.uuid() });
export type UnmapGroupInput = z.infer<typeof unmapGroupSchema>;
