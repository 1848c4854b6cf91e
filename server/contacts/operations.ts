import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { deleteContact, deleteMany, setAttribute, upsertBatch } from "./change-contacts.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { getContact, listContacts } from "./list-contacts.ts";
import {
  addMembers,
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  removeMembers,
  updateGroup,
} from "./manage-groups.ts";
import { mergeContacts } from "./merge-contacts.ts";
import {
  contactBatchResultSchema,
  contactBatchSchema,
  contactCreateSchema,
  contactDetailSchema,
  contactListQuerySchema,
  contactListSchema,
  contactSchema,
  contactsSchema,
  contactUpdateSchema,
  groupCreateSchema,
  groupListQuerySchema,
  groupListSchema,
  groupSchema,
  groupUpdateSchema,
  membersResultSchema,
  membersSchema,
  mergeSchema,
  setAttributeSchema,
} from "./schemas.ts";
import { createContact, updateContact } from "./write-contact.ts";

const tag = "Contacts";
const one = z.object({ id: z.uuid().meta({ description: "The contact" }) });
const oneGroup = z.object({ id: z.uuid().meta({ description: "The group" }) });

/** Who the organisation writes to. */
export const contactOperations = {
  list: query({
    permission: "contacts:read",
    input: contactListQuerySchema,
    run: listContacts,
    rest: {
      method: "GET",
      path: "/v1/contacts",
      operationId: "listContacts",
      summary: "List or search contacts",
      tag,
      query: contactListQuerySchema,
      answer: { status: 200, schema: contactListSchema, description: "One page, newest first" },
    },
  }),
  get: query({
    permission: "contacts:read",
    input: one,
    run: getContact,
    rest: {
      method: "GET",
      path: "/v1/contacts/{id}",
      operationId: "getContact",
      summary: "Get a contact",
      tag,
      params: one,
      answer: { status: 200, schema: contactDetailSchema, description: "The contact and its groups" },
    },
  }),
  create: mutation({
    permission: "contacts:write",
    input: contactCreateSchema,
    run: createContact,
    rest: {
      method: "POST",
      path: "/v1/contacts",
      operationId: "createContact",
      errors: ["conflict"],
      summary: "Add a contact",
      description:
        "Needs an address or an external id. An address belongs to one contact: where another one has it, the answer is 409.",
      tag,
      body: contactCreateSchema,
      answer: {
        status: 201,
        schema: contactSchema,
        description: "The contact",
        headers: (contact) => ({ Location: `/v1/contacts/${contact.id}` }),
      },
    },
  }),
  update: mutation({
    permission: "contacts:write",
    input: one.extend({ changes: contactUpdateSchema }),
    run: updateContact,
    rest: {
      method: "PATCH",
      path: "/v1/contacts/{id}",
      operationId: "updateContact",
      errors: ["conflict"],
      summary: "Change a contact",
      description:
        "What is left out stays; null takes away. Attributes are changed one by one, addresses as a whole.",
      tag,
      params: one,
      body: contactUpdateSchema,
      input: (_ctx, { params, body }) => ({ id: params.id, changes: body }),
      answer: { status: 200, schema: contactSchema, description: "The contact as it is now" },
    },
  }),
  delete: mutation({
    permission: "contacts:write",
    input: one,
    run: deleteContact,
    rest: {
      method: "DELETE",
      path: "/v1/contacts/{id}",
      operationId: "deleteContact",
      summary: "Delete a contact",
      description:
        "What was sent to it, and what it agreed to or opted out of, stay; to erase a person, use erasures.",
      tag,
      params: one,
      answer: { status: 204, description: "Deleted" },
    },
  }),
  upsert: mutation({
    permission: "contacts:write",
    input: contactBatchSchema,
    run: upsertBatch,
    rest: {
      method: "POST",
      path: "/v1/contacts/batch",
      operationId: "upsertContacts",
      summary: "Create or change many contacts",
      description:
        "Up to 1,000, each with a result of its own. An item is about the contact with its external id, else about the one that has any of its addresses, else about a new one. Its addresses come before those that the contact has.",
      tag,
      body: contactBatchSchema,
      answer: { status: 200, schema: contactBatchResultSchema, description: "A result for each item" },
    },
  }),
  deleteMany: mutation({ permission: "contacts:write", input: contactsSchema, run: deleteMany }),
  setAttribute: mutation({ permission: "contacts:write", input: setAttributeSchema, run: setAttribute }),
  merge: mutation({ permission: "contacts:write", input: mergeSchema, run: mergeContacts }),
  duplicates: query({
    permission: "contacts:read",
    input: z.object({ cursor: z.string().max(500).optional() }),
    run: findDuplicates,
  }),
};

/** Groups of contacts. */
export const contactGroupOperations = {
  list: query({
    permission: "contacts:read",
    input: groupListQuerySchema,
    run: listGroups,
    rest: {
      method: "GET",
      path: "/v1/contact-groups",
      operationId: "listContactGroups",
      summary: "List contact groups",
      tag,
      query: groupListQuerySchema,
      answer: { status: 200, schema: groupListSchema, description: "One page, newest first" },
    },
  }),
  get: query({
    permission: "contacts:read",
    input: oneGroup,
    run: getGroup,
    rest: {
      method: "GET",
      path: "/v1/contact-groups/{id}",
      operationId: "getContactGroup",
      summary: "Get a contact group",
      tag,
      params: oneGroup,
      answer: { status: 200, schema: groupSchema, description: "The group" },
    },
  }),
  create: mutation({
    permission: "contacts:write",
    input: groupCreateSchema,
    run: createGroup,
    rest: {
      method: "POST",
      path: "/v1/contact-groups",
      operationId: "createContactGroup",
      errors: ["conflict"],
      summary: "Add a contact group",
      description:
        "With a filter, whoever matches it now is in the group; without one, the contacts that are put into it.",
      tag,
      body: groupCreateSchema,
      answer: {
        status: 201,
        schema: groupSchema,
        description: "The group",
        headers: (group) => ({ Location: `/v1/contact-groups/${group.id}` }),
      },
    },
  }),
  update: mutation({
    permission: "contacts:write",
    input: oneGroup.extend({ changes: groupUpdateSchema }),
    run: updateGroup,
    rest: {
      method: "PATCH",
      path: "/v1/contact-groups/{id}",
      operationId: "updateContactGroup",
      errors: ["conflict"],
      summary: "Change a contact group",
      tag,
      params: oneGroup,
      body: groupUpdateSchema,
      input: (_ctx, { params, body }) => ({ id: params.id, changes: body }),
      answer: { status: 200, schema: groupSchema, description: "The group as it is now" },
    },
  }),
  delete: mutation({
    permission: "contacts:write",
    input: oneGroup,
    run: deleteGroup,
    rest: {
      method: "DELETE",
      path: "/v1/contact-groups/{id}",
      operationId: "deleteContactGroup",
      summary: "Delete a contact group",
      tag,
      params: oneGroup,
      answer: { status: 204, description: "Deleted; its contacts stay" },
    },
  }),
  addMembers: mutation({
    permission: "contacts:write",
    input: membersSchema.safeExtend(oneGroup.shape),
    run: addMembers,
    rest: {
      method: "POST",
      path: "/v1/contact-groups/{id}/members",
      operationId: "addContactGroupMembers",
      errors: ["conflict"],
      summary: "Put contacts into a group",
      description: "Up to 1,000, by id or external id.",
      tag,
      params: oneGroup,
      body: membersSchema,
      answer: { status: 200, schema: membersResultSchema, description: "How many joined" },
    },
  }),
  removeMembers: mutation({
    permission: "contacts:write",
    input: membersSchema.safeExtend(oneGroup.shape),
    run: removeMembers,
    rest: {
      method: "DELETE",
      path: "/v1/contact-groups/{id}/members",
      operationId: "removeContactGroupMembers",
      errors: ["conflict"],
      summary: "Take contacts out of a group",
      description: "Up to 1,000, by id or external id. The contacts stay.",
      tag,
      params: oneGroup,
      body: membersSchema,
      answer: { status: 200, schema: membersResultSchema, description: "How many left" },
    },
  }),
};
