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
      idempotencyKey: true,
      errors: ["conflict"],
      summary: "Add a contact",
      description:
        "Needs an address or an external ID. An address belongs to one contact: if another contact has it, the answer is 409.",
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
      errors: ["conflict", "revision_conflict"],
      summary: "Change a contact",
      description:
        "Omitted fields are kept, null removes. Attributes are changed individually, addresses as a whole: send those you read as expectedAddresses, so that nobody else's change is lost.",
      tag,
      params: one,
      body: contactUpdateSchema,
      input: (_ctx, { params, body }) => ({ id: params.id, changes: body }),
      answer: { status: 200, schema: contactSchema, description: "The updated contact" },
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
      description: "Its messages and consent are kept. To erase a person, use erasures.",
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
      idempotencyKey: true,
      summary: "Create or change many contacts",
      description:
        "Up to 1,000, each with its own result. An item updates the contact with its external ID, otherwise the one with any of its addresses, otherwise it creates a new one. Its addresses are placed before existing ones.",
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
      idempotencyKey: true,
      errors: ["conflict"],
      summary: "Add a contact group",
      description:
        "With a filter, the group contains everyone who matches. Without one, the contacts added to it.",
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
      errors: ["conflict", "revision_conflict"],
      summary: "Change a contact group",
      description:
        "Omitted fields are kept. The filter is replaced as a whole: send the one you read as expectedFilter, so that nobody else's change is lost.",
      tag,
      params: oneGroup,
      body: groupUpdateSchema,
      input: (_ctx, { params, body }) => ({ id: params.id, changes: body }),
      answer: { status: 200, schema: groupSchema, description: "The updated group" },
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
      answer: { status: 204, description: "Deleted. Its contacts are kept" },
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
      summary: "Add contacts to a group",
      description: "Up to 1,000, by ID or external ID.",
      tag,
      params: oneGroup,
      body: membersSchema,
      answer: { status: 200, schema: membersResultSchema, description: "Number of contacts added" },
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
      summary: "Remove contacts from a group",
      description: "Up to 1,000, by ID or external ID. The contacts are kept.",
      tag,
      params: oneGroup,
      body: membersSchema,
      answer: { status: 200, schema: membersResultSchema, description: "Number of contacts removed" },
    },
  }),
};
