import { env } from "../kernel/env.ts";
import { membersOf, textOf } from "./scim-body.ts";
import { groupName, readMembers } from "./scim-patch.ts";

export const groupSchemaUri = "urn:ietf:params:scim:schemas:core:2.0:Group";

export interface Group {
  name: string;
  externalId: string | null;
  userIds: string[];
}

export interface GroupRow {
  id: string;
  name: string;
  externalId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Reads the body of POST and PUT. */
export function readGroup(body: unknown): Group {
  const members = membersOf(body, "The body");
  return {
    name: groupName(members.get("displayname")),
    externalId: textOf(members.get("externalid"), "externalId", 255),
    userIds: readMembers(members.get("members")),
  };
}

/** A group as answers show it (RFC 7643 §4.2); without its members when they were not wanted. */
export function showGroup(group: GroupRow, members: readonly { id: string; name: string }[] | null) {
  const root = `${env().publicUrl}/scim/v2`;
  return {
    schemas: [groupSchemaUri],
    id: group.id,
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    displayName: group.name,
    ...(members === null
      ? {}
      : {
          members: members.map(({ id, name }) => ({
            value: id,
            display: name,
            type: "User",
            $ref: `${root}/Users/${id}`,
          })),
        }),
    meta: {
      resourceType: "Group",
      created: group.createdAt.toISOString(),
      lastModified: group.updatedAt.toISOString(),
      location: `${root}/Groups/${group.id}`,
    },
  };
}
