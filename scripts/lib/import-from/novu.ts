import { createHash } from "node:crypto";
import type { ContactRow } from "../../../server/contacts/schemas.ts";
import { Refused } from "../command.ts";
import { importBounds, templateName } from "./found.ts";
import type { Found, TypeMap, Unmapped } from "./found.ts";
import { isRecord, recordsOf, textOf } from "./source.ts";
import type { Source } from "./source.ts";
import { fromNovu } from "./syntax.ts";

const pageSize = 100;
/** Novu's channels of preferences that there are here. */
const channels = ["sms", "email"] as const;

type NovuPart = "templates" | "contacts" | "consent";

/**
 * Reads an environment of Novu over its API (version 2): workflows, subscribers, and what these have switched off.
 * @param options.classes what an opt-out of a whole channel is recorded for
 */
export async function readNovu(
  source: Source,
  options: { baseUrl: string; types: TypeMap; classes: readonly string[]; parts: ReadonlySet<NovuPart> },
): Promise<Found> {
  const { parts } = options;
  const found: Found = { templates: [], contacts: [], consents: [], unmapped: [] };
  if (parts.has("templates")) await readWorkflows(source, options, found);
  if (parts.has("contacts") || parts.has("consent")) await readSubscribers(source, options, found);
  return found;
}

/** Some answers stand in a member `data`, some do not. */
const unwrapped = (answer: Record<string, unknown>) => (isRecord(answer.data) ? answer.data : answer);

async function readWorkflows(
  source: Source,
  { baseUrl, types }: { baseUrl: string; types: TypeMap },
  { templates, unmapped }: Found,
): Promise<void> {
  for (let offset = 0; ; offset += pageSize) {
    const list = unwrapped(await source.page(`${baseUrl}/v2/workflows?limit=${pageSize}&offset=${offset}`));
    const page = recordsOf(list.workflows);
    for (const entry of page) {
      const id = textOf(entry.workflowId) ?? textOf(entry.slug);
      if (id === undefined) continue;
      const workflow = unwrapped(await source.get(`${baseUrl}/v2/workflows/${encodeURIComponent(id)}`));
      const mapped = templatesOf(id, workflow, types);
      templates.push(...mapped.templates);
      unmapped.push(...mapped.unmapped);
    }
    if (page.length < pageSize) return;
    if (templates.length > importBounds.rows)
      throw new Refused("Novu has more workflows than one run reads.");
  }
}

function templatesOf(
  id: string,
  workflow: Record<string, unknown>,
  types: TypeMap,
): Pick<Found, "templates" | "unmapped"> {
  const result: Pick<Found, "templates" | "unmapped"> = { templates: [], unmapped: [] };
  const type = types.of(id);
  const steps = recordsOf(workflow.steps);
  const schema = isRecord(workflow.payloadSchema) ? workflow.payloadSchema : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  for (const step of steps) {
    const channel = textOf(step.type) ?? "";
    const name = textOf(step.name) ?? channel;
    const skip = (why: string) =>
      result.unmapped.push({ what: `workflow ${id}, step ${name} (${channel})`, why });
    if (channel !== "email" && channel !== "sms") {
      skip(
        ["digest", "delay", "throttle", "custom", "http_request"].includes(channel)
          ? "There are no workflows here: your system decides when it sends a request"
          : "There is no such channel here",
      );
      continue;
    }
    if (!type) {
      skip("No notification type is given for this workflow; add it to the file of --types, or use --type");
      continue;
    }
    const controls = isRecord(step.controls) && isRecord(step.controls.values) ? step.controls.values : {};
    const values =
      Object.keys(controls).length > 0 ? controls : isRecord(step.controlValues) ? step.controlValues : {};
    const body = textOf(values.body);
    if (body === undefined) {
      skip("The step has no text");
      continue;
    }
    if (values.skip !== undefined && values.skip !== null && JSON.stringify(values.skip) !== "{}")
      result.unmapped.push({
        what: `workflow ${id}, step ${name} (${channel}): condition`,
        why: "Conditions of steps have no counterpart; the text is imported without it",
      });
    if (channel === "email" && (values.editorType === "block" || body.startsWith("{"))) {
      skip(
        "It was made in the block editor, whose format is Novu's own; switch the step to HTML there and run this again",
      );
      continue;
    }
    const text = fromNovu(body);
    const subject = channel === "email" ? fromNovu(textOf(values.subject) ?? id) : null;
    const problems = [...text.problems, ...(subject?.problems ?? [])];
    if (problems.length > 0) {
      skip(problems.join("; "));
      continue;
    }
    const variables = new Map([...text.variables, ...(subject?.variables ?? [])]);
    result.templates.push({
      name: templateName(id),
      ...type,
      channel,
      region: null,
      language: null,
      provider: null,
      subject: subject?.text ?? null,
      body: text.text,
      metadata: {},
      variables: [...variables].map(([variable, path]) => ({
        name: variable,
        type: "string",
        required: path.startsWith("payload.") && required.has(path.slice("payload.".length)),
      })),
    });
  }
  return result;
}

async function readSubscribers(
  source: Source,
  options: { baseUrl: string; classes: readonly string[]; parts: ReadonlySet<NovuPart> },
  found: Found,
): Promise<void> {
  const { baseUrl, classes, parts } = options;
  let after: string | undefined;
  let rows = 0;
  do {
    const query = new URLSearchParams({ limit: String(pageSize), ...(after === undefined ? {} : { after }) });
    const page = await source.page(`${baseUrl}/v2/subscribers?${query.toString()}`);
    for (const subscriber of recordsOf(page.data)) {
      const id = textOf(subscriber.subscriberId);
      if (id === undefined) continue;
      if (++rows > importBounds.rows) throw new Refused("Novu has more subscribers than one run reads.");
      const mapped = contactOf(id, subscriber);
      found.unmapped.push(...mapped.unmapped);
      if (parts.has("contacts")) {
        if (mapped.contact.addresses?.length) found.contacts.push(mapped.contact);
        else
          found.unmapped.push({
            what: `subscriber ${id}`,
            why: "It has neither a mail address nor a phone number",
          });
      }
      if (!parts.has("consent") || !mapped.contact.addresses?.length) continue;
      const answer = await source.get(
        `${baseUrl}/v2/subscribers/${encodeURIComponent(id)}/preferences?criticality=all`,
      );
      const preferences = unwrapped(answer);
      const off =
        isRecord(preferences.global) && isRecord(preferences.global.channels)
          ? preferences.global.channels
          : {};
      const all = isRecord(preferences.global) && preferences.global.enabled === false;
      for (const { channel, address } of mapped.contact.addresses) {
        if (!all && off[channel] !== false) continue;
        for (const of of classes)
          found.consents.push({
            id: entryId("novu", id, channel, of),
            channel,
            address,
            state: "opted_out",
            class: of as "marketing",
            evidence: { source: "Novu", preference: all ? "all notifications off" : `${channel} off` },
          });
      }
      const single = recordsOf(preferences.workflows).filter(
        ({ channels: set, enabled }) =>
          enabled === false || (isRecord(set) && channels.some((channel) => set[channel] === false)),
      );
      if (single.length > 0 && !all)
        found.unmapped.push({
          what: `subscriber ${id}: ${single.length} workflows off`,
          why: "Consent here is for a channel and a class of messages, not for one workflow",
        });
    }
    after = textOf(page.next);
  } while (after !== undefined);
}

/** Recorded once, however often it is imported: what the recipient says here afterwards stays. */
export function entryId(...parts: string[]): string {
  return `import-${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40)}`;
}

function contactOf(
  id: string,
  subscriber: Record<string, unknown>,
): { contact: ContactRow; unmapped: Unmapped[] } {
  const unmapped: Unmapped[] = [];
  const email = textOf(subscriber.email);
  const phone = textOf(subscriber.phone);
  const locale = textOf(subscriber.locale)?.replace("_", "-");
  const [language = "", region = ""] = locale?.split("-") ?? [];
  const name = [textOf(subscriber.firstName), textOf(subscriber.lastName)].filter(Boolean).join(" ");
  const timeZone = textOf(subscriber.timezone);
  const attributes: Record<string, string> = {};
  for (const [key, value] of Object.entries(isRecord(subscriber.data) ? subscriber.data : {})) {
    const attribute = key.replaceAll(/[^A-Za-z0-9_]/g, "_").replace(/^(?=\d)/, "_");
    const plain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    if (plain && attribute !== "" && attribute !== "__proto__") attributes[attribute] = String(value);
    else
      unmapped.push({
        what: `subscriber ${id}: data.${key.slice(0, 64)}`,
        why: "An attribute is a text; this is a list or an object",
      });
  }
  return {
    unmapped,
    contact: {
      externalId: id,
      ...(name === "" ? {} : { name }),
      ...(/^[a-z]{2}$/.test(language) ? { language } : {}),
      ...(/^[A-Z]{2}$/.test(region) ? { region } : {}),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
      addresses: [
        ...(email === undefined ? [] : [{ channel: "email" as const, address: email }]),
        ...(phone === undefined ? [] : [{ channel: "sms" as const, address: phone }]),
      ],
    },
  };
}
