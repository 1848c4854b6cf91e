import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { addressTokens } from "../audit/address-token.ts";
import { accessContacts } from "./contact-access.ts";
import { auditFacts } from "./contact-facts.ts";
import { deleteContacts, lockContacts, selectStoredContacts, updateContacts } from "./queries.ts";
import { contactLimits } from "./vocabulary.ts";
import type { ContactBatch, ContactBatchResult } from "./schemas.ts";
import { upsertContacts } from "./upsert-contacts.ts";

/** Creates or changes up to 1,000 contacts; each has a result of its own. */
export async function upsertBatch(ctx: Ctx, input: ContactBatch): Promise<ContactBatchResult> {
  await accessContacts(ctx, "contacts:write");
  const results = await inTenant(ctx, async (tx) => {
    const rows = await upsertContacts(tx, ctx, input.contacts);
    const count = (of: string) => rows.filter(({ status }) => status === of).length;
    const data = { created: count("created"), updated: count("updated") };
    if (data.created + data.updated > 0)
      await recordAudit(ctx, tx, { action: "contacts.written", targetType: "contact", data });
    return rows;
  });
  return {
    results: results.map((row) =>
      row.status === "error"
        ? {
            status: row.status,
            contactId: null,
            error: { field: row.field, code: row.code, detail: row.detail },
          }
        : { ...row, error: null },
    ),
  };
}

/** Deletes a contact. What was sent to it, and its consent, stay. */
export async function deleteContact(ctx: Ctx, input: { id: string }): Promise<void> {
  await accessContacts(ctx, "contacts:write");
  const tokenOf = await addressTokens(ctx);
  await inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    const [before] = await selectStoredContacts(tx, ctx.tenantId, [input.id]);
    if (!before) throw notFound();
    await deleteContacts(tx, ctx.tenantId, [input.id]);
    await recordAudit(ctx, tx, {
      action: "contact.deleted",
      targetType: "contact",
      targetId: input.id,
      before: auditFacts(before, tokenOf),
    });
  });
}

/** Deletes several. Those that are gone already are not counted; `not_found` when all are. */
export async function deleteMany(ctx: Ctx, input: { contactIds: string[] }): Promise<{ changed: number }> {
  await accessContacts(ctx, "contacts:write");
  return inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    const changed = await deleteContacts(tx, ctx.tenantId, input.contactIds);
    if (changed === 0) throw notFound();
    await recordAudit(ctx, tx, {
      action: "contacts.deleted",
      targetType: "contact",
      data: { deleted: changed },
    });
    return { changed };
  });
}

/** Gives several contacts the same value of an attribute, or takes it away from them. */
export async function setAttribute(
  ctx: Ctx,
  input: { contactIds: string[]; name: string; value: string | null },
): Promise<{ changed: number }> {
  await accessContacts(ctx, "contacts:write");
  const value = input.value === "" ? null : input.value;
  return inTenant(ctx, async (tx) => {
    await lockContacts(tx, ctx.tenantId);
    const contacts = await selectStoredContacts(tx, ctx.tenantId, [...new Set(input.contactIds)]);
    if (contacts.length === 0) throw notFound();
    const touched = contacts.flatMap((contact) => {
      if ((contact.attributes[input.name] ?? null) === value) return [];
      const { [input.name]: _, ...attributes } = contact.attributes;
      return [
        { ...contact, attributes: value === null ? attributes : { ...attributes, [input.name]: value } },
      ];
    });
    const full = touched.filter(
      ({ attributes }) => Object.keys(attributes).length > contactLimits.attributes,
    ).length;
    if (full > 0) {
      throw new DomainError(
        "conflict",
        `${String(full)} of them have ${String(contactLimits.attributes)} attributes already.`,
      );
    }
    await updateContacts(tx, ctx.tenantId, touched, ctx.now());
    if (touched.length > 0) {
      await recordAudit(ctx, tx, {
        action: "contacts.attribute_set",
        targetType: "contact",
        data: { attribute: input.name, removed: value === null, changed: touched.length },
      });
    }
    return { changed: touched.length };
  });
}
