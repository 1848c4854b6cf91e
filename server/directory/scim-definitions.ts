import { env } from "../kernel/env.ts";
import { groupSchemaUri } from "./scim-group.ts";
import { maxResults } from "./scim-list.ts";
import { userSchemaUri } from "./scim-user.ts";

/*
 * What the service says of itself (RFC 7643 §5 to §7): the features that it has and the attributes that it keeps.
 */

const location = (path: string): string => `${env().publicUrl}/scim/v2${path}`;

export function serviceProviderConfig() {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "A token made under Settings → Directory, in the Authorization header.",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: location("/ServiceProviderConfig") },
  };
}

function resourceType(name: "User" | "Group", schema: string) {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: "ResourceType", location: location(`/ResourceTypes/${name}`) },
  };
}

export const resourceTypes = () => [
  resourceType("User", userSchemaUri),
  resourceType("Group", groupSchemaUri),
];

interface Definition {
  name: string;
  type?: "string" | "boolean" | "complex" | "reference";
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: "readOnly" | "readWrite" | "immutable";
  uniqueness?: "none" | "server";
  subAttributes?: Definition[];
  description: string;
}

function attribute({ subAttributes, ...given }: Definition): object {
  return {
    type: "string",
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...given,
    ...(subAttributes ? { subAttributes: subAttributes.map(attribute) } : {}),
  };
}

const externalId: Definition = {
  name: "externalId",
  caseExact: true,
  uniqueness: "server",
  description: "The directory's own identifier",
};

function schemaOf(id: string, name: string, description: string, attributes: Definition[]) {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    id,
    name,
    description,
    attributes: attributes.map(attribute),
    meta: { resourceType: "Schema", location: location(`/Schemas/${id}`) },
  };
}

export const schemas = () => [
  schemaOf(userSchemaUri, "User", "A member of the organisation", [
    {
      name: "userName",
      required: true,
      uniqueness: "server",
      description: "The name that they sign in with at the directory",
    },
    externalId,
    { name: "displayName", description: "What they are called" },
    {
      name: "name",
      type: "complex",
      description: "Parts of their name",
      subAttributes: [
        { name: "formatted", description: "What they are called" },
        { name: "givenName", description: "Given name" },
        { name: "familyName", description: "Family name" },
      ],
    },
    { name: "active", type: "boolean", description: "Whether they may sign in" },
    {
      name: "emails",
      type: "complex",
      multiValued: true,
      description: "The primary one is the address of their account; others are not kept",
      subAttributes: [
        { name: "value", description: "The address" },
        { name: "type", description: "Always work" },
        { name: "primary", type: "boolean", description: "Always true" },
      ],
    },
  ]),
  schemaOf(groupSchemaUri, "Group", "A group of the directory", [
    { name: "displayName", required: true, description: "What it is called" },
    externalId,
    {
      name: "members",
      type: "complex",
      multiValued: true,
      description: "Who is in it",
      subAttributes: [
        { name: "value", mutability: "immutable", description: "Id of the user" },
        { name: "display", mutability: "readOnly", description: "What they are called" },
        { name: "type", mutability: "immutable", description: "Always User" },
        { name: "$ref", type: "reference", mutability: "immutable", description: "Address of the user" },
      ],
    },
  ]),
];
