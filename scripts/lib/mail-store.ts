import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import PostalMime, { type Address, type Email } from "postal-mime";

/** A received mail without its content. `date` is ISO 8601, UTC. */
export type MailSummary = { id: string; from: string; to: string[]; subject: string; date: string | null };

/** A received mail. A body is null when it has none of that kind. */
export type Mail = MailSummary & {
  text: string | null;
  html: string | null;
  headers: { name: string; value: string }[];
};

/** The actual sender and recipients, as the SMTP session named them, whatever the headers say. */
export type Envelope = { from: string; to: string[] };

const KEPT = 1_000;
const ID = /^\d{13}-[0-9a-f]{12}$/;

function addressText(address: Address | undefined): string {
  if (!address) return "";
  if (address.group) return address.name;
  return address.name ? `${address.name} <${address.address}>` : address.address;
}

/** Mails as .eml files in a folder, the newest 1,000 of them. */
export class MailStore {
  private readonly folder: string;
  /** Oldest first: an id starts with its time. */
  private readonly ids: string[];
  private readonly summaries = new Map<string, MailSummary>();

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.ids = readdirSync(folder)
      .filter((name) => name.endsWith(".eml"))
      .map((name) => name.slice(0, -".eml".length))
      .filter((id) => ID.test(id))
      .sort();
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}.eml`);
  }

  /** Stores a mail as received, with the envelope in front, as the last mail server on its way notes it. */
  async add(envelope: Envelope, content: Buffer): Promise<void> {
    const id = `${Date.now()}-${randomBytes(6).toString("hex")}`;
    const lines = [`Return-Path: <${envelope.from}>`, ...envelope.to.map((to) => `Delivered-To: ${to}`), ""];
    const draft = path.join(this.folder, `${id}.tmp`);
    await writeFile(draft, Buffer.concat([Buffer.from(lines.join("\r\n")), content]), { mode: 0o600 });
    await rename(draft, this.fileOf(id));
    this.ids.push(id);
    while (this.ids.length > KEPT) {
      const oldest = this.ids.shift();
      if (oldest === undefined) break;
      this.summaries.delete(oldest);
      await rm(this.fileOf(oldest), { force: true });
    }
  }

  /** The newest mails first. */
  async list(limit = 200): Promise<MailSummary[]> {
    const newest = this.ids.slice(-limit).reverse();
    const found = await Promise.all(newest.map(async (id) => this.summaries.get(id) ?? this.read(id)));
    return found
      .filter((mail) => mail !== undefined)
      .map(({ id, from, to, subject, date }) => ({ id, from, to, subject, date }));
  }

  /** One mail, or undefined when there is none with this id. */
  async read(id: string): Promise<Mail | undefined> {
    if (!ID.test(id)) return undefined;
    let content: Buffer;
    try {
      content = await readFile(this.fileOf(id));
    } catch {
      return undefined;
    }
    const email: Email = await PostalMime.parse(content);
    const delivered = email.headers.filter((header) => header.key === "delivered-to");
    const summary: MailSummary = {
      id,
      from: addressText(email.from),
      to: delivered.map((header) => header.value),
      subject: email.subject ?? "",
      date: new Date(Number(id.slice(0, 13))).toISOString(),
    };
    this.summaries.set(id, summary);
    return {
      ...summary,
      text: email.text ?? null,
      html: email.html ?? null,
      headers: email.headers.map((header) => ({ name: header.originalKey, value: header.value })),
    };
  }
}
