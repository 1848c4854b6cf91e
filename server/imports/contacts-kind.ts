import { hash } from "node:crypto";
import { accessContacts } from "../contacts/contact-access.ts";
import { attributeNameSchema } from "../contacts/schemas.ts";
import { upsertContacts } from "../contacts/upsert-contacts.ts";
import type { ContactRow } from "../contacts/upsert-contacts.ts";
import { normalizeAddress } from "../kernel/address.ts";
import { channels } from "../kernel/channel.ts";
import { acrossEnvironments, authorize } from "../operations/authorize.ts";
import type { CellProblem, ImportKind } from "./kinds.ts";
import { addressProblem, isStorable, readLanguage, readRegion, tidyAddress } from "./read-cells.ts";
import { attributePrefix } from "./vocabulary.ts";

/** Contacts: those that are known are changed, the others are new. A cell that is empty leaves what is there. */
export const contactsKind: ImportKind<ContactRow> = {
  permission: "contacts:write",
  authorize: async (ctx) => {
    await accessContacts(ctx, "contacts:write");
    // The people of a whole file are of every team.
    authorize(acrossEnvironments(ctx), "contacts:write", {});
    return { sandbox: false };
  },
  mayEndEarly: true,
  names: {
    "address:sms": [
      ...[
        "sms",
        "phone",
        "phonenumber",
        "mobile",
        "mobilenumber",
        "mobilephone",
        "cell",
        "cellphone",
        "number",
      ],
      ...["telefon", "telefonnummer", "handy", "handynummer", "mobilnummer", "mobil", "rufnummer"],
      ...["telefono", "telephone", "movil", "portable", "cellulare"],
    ],
    "address:email": [
      "email",
      "emailaddress",
      "mail",
      "emailadresse",
      "correo",
      "correoelectronico",
      "courriel",
    ],
    "address:whatsapp": ["whatsapp", "whatsappnumber", "whatsappnummer", "wa"],
    externalId: [
      ...[
        "externalid",
        "id",
        "customerid",
        "customernumber",
        "userid",
        "contactid",
        "kundennummer",
        "kundenid",
      ],
      ...["idcliente", "numeroclient"],
    ],
    name: ["name", "fullname", "displayname", "contact", "contactname", "kunde", "nombre", "nom", "nome"],
    region: ["region", "country", "countrycode", "land", "landercode", "pais", "pays", "paese"],
    language: ["language", "languagecode", "lang", "locale", "sprache", "idioma", "langue", "lingua"],
    attributes: [],
    timeZone: ["timezone", "tz", "zeitzone", "zonahoraria", "fuseauhoraire"],
  },
  complain: ({ columns }) => {
    if (!columns.some((target) => target === "externalId" || target?.startsWith("address:")))
      return "Assign a column with an address or the external ID.";
    const wrong = columns.find(
      (target) =>
        target?.startsWith(attributePrefix) &&
        !attributeNameSchema.safeParse(target.slice(attributePrefix.length)).success,
    );
    if (wrong) return "An attribute’s name has letters, digits and underscores, and no digit first.";
    return null;
  },
  read: (cells) => {
    const problems: CellProblem[] = [];
    const textOf = (target: string) => cells.get(target)?.[0]?.text;
    const addresses = channels.flatMap((channel) =>
      (cells.get(`address:${channel}`) ?? []).flatMap(({ text }) => {
        const address = normalizeAddress(channel, tidyAddress(channel, text));
        if (address !== null) return [{ channel, address }];
        const target = `address:${channel}`;
        problems.push({ target, code: "invalid_recipient", detail: addressProblem(channel, text) });
        return [];
      }),
    );
    const regionText = textOf("region");
    const region = regionText === undefined ? undefined : readRegion(regionText);
    if (region === null)
      problems.push({ target: "region", code: "invalid_region", detail: "Write two letters, such as DE." });
    const languageText = textOf("language");
    const language = languageText === undefined ? undefined : readLanguage(languageText);
    if (language === null)
      problems.push({
        target: "language",
        code: "invalid_language",
        detail: "Write two letters, such as en.",
      });
    const together = textOf("attributes");
    const attributes: Record<string, string> = together === undefined ? {} : { ...textsOf(together) };
    if (together !== undefined && textsOf(together) === null)
      problems.push({
        target: "attributes",
        code: "invalid_attributes",
        detail: 'Write names and texts as JSON, such as {"plan":"gold"}.',
      });
    for (const [target, [cell]] of cells) {
      if (target.startsWith(attributePrefix) && cell)
        attributes[target.slice(attributePrefix.length)] = cell.text;
    }
    if (problems.length > 0) return problems;
    const [externalId, name, timeZone] = [textOf("externalId"), textOf("name"), textOf("timeZone")];
    return {
      ...(externalId === undefined ? {} : { externalId }),
      ...(name === undefined ? {} : { name }),
      ...(region ? { region } : {}),
      ...(language ? { language } : {}),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
      addresses,
    };
  },
  mark: (row) => ({
    names: [
      ...(row.externalId === undefined ? [] : [`id ${row.externalId}`]),
      ...(row.addresses ?? []).map(({ channel, address }) => `${channel} ${address}`),
    ],
    says: hash("sha256", JSON.stringify(row), "buffer").readUInt16LE(0) || 1,
  }),
  after: (said, says) => ({ outcome: said === says ? "unchanged" : "updated", says }),
  write: async (ctx, tx, { groupIds, dry, rows }) => {
    const results = await upsertContacts(
      tx,
      ctx,
      groupIds.length === 0 ? rows : rows.map((row) => ({ ...row, groupIds: [...groupIds] })),
      { dry },
    );
    return results.map((result, index) =>
      result.status === "error"
        ? { target: targetOf(result.field, rows[index]), code: result.code, detail: result.detail }
        : result.status,
    );
  },
};

/** A JSON object of texts; null: it is none. */
function textsOf(text: string): Record<string, string> | null {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return Object.values(value).every(isStorable) ? (value as Record<string, string>) : null;
  } catch {
    return null;
  }
}

/** What a column becomes, by where in the row something is wrong. */
function targetOf(field: string, row: ContactRow | undefined): string | null {
  const [first = "", second = ""] = field.split(".");
  if (first === "addresses") {
    const channel = row?.addresses?.[Number(second)]?.channel;
    return channel && second !== "" ? `address:${channel}` : null;
  }
  if (first === "attributes") return second === "" ? null : `${attributePrefix}${second}`;
  return ["externalId", "name", "region", "language", "timeZone"].includes(first) ? first : null;
}
