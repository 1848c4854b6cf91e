/**
 * Pure: who a unit's messages may come from over a connection. A sender belongs to one unit or to the whole
 * organisation.
 */
import type { Channel } from "../kernel/channel.ts";
import type { OwnedSender } from "./schemas.ts";
import { senderAddress } from "./sender-address.ts";

/** What is needed of a connection here. */
interface Sending {
  adapter: { name: string };
  unitId: string | null;
  channels: readonly Channel[];
  senders: readonly OwnedSender[];
}
/** The owner of a message. */
interface Message {
  channel: Channel;
  unitId: string;
}

/** Senders of the message's unit before those of the organisation, in the connection's order. */
function sendersFor(connection: Pick<Sending, "senders">, message: Message): OwnedSender[] {
  const mine = connection.senders.filter((entry) => entry.channel === message.channel);
  return [
    ...mine.filter((entry) => entry.unitId === message.unitId),
    ...mine.filter((entry) => entry.unitId === null),
  ];
}

/**
 * The sender of a message that names none: the unit's own, then the organisation's; one for the region before a general
 * one.
 */
export function defaultSender(
  connection: Pick<Sending, "senders">,
  message: Message & { region: string },
): string | undefined {
  const candidates = sendersFor(connection, message).filter(({ sender }) => !sender.startsWith("*@"));
  for (const unitId of [message.unitId, null]) {
    const owned = candidates.filter((entry) => entry.unitId === unitId);
    const found =
      owned.find((entry) => entry.region === message.region) ??
      owned.find((entry) => entry.region === undefined);
    if (found) return found.sender;
  }
  return undefined;
}

/**
 * Whether a template may name this sender over the connection. Nothing leaves the simulator, so there it may name any.
 */
export function maySendAs(
  connection: Pick<Sending, "adapter" | "senders">,
  message: Message,
  named: string,
): boolean {
  if (connection.adapter.name === "simulator") return true;
  const wanted = senderAddress(message.channel, named);
  const domain = wanted.kind === "email" ? wanted.address.slice(wanted.address.lastIndexOf("@") + 1) : null;
  return sendersFor(connection, message).some((entry) => {
    const { kind, address } = senderAddress(message.channel, entry.sender);
    return kind === "email_domain" ? address === domain : kind === wanted.kind && address === wanted.address;
  });
}

/**
 * Whether any connection could send this. Also true where no connection carries the channel for the unit: then the
 * sender is not what is missing.
 */
export function anyMaySendAs(connections: Iterable<Sending>, message: Message, named: string): boolean {
  let carried = false;
  for (const connection of connections) {
    if (connection.adapter.name === "simulator" || !connection.channels.includes(message.channel)) continue;
    if (connection.unitId !== null && connection.unitId !== message.unitId) continue;
    if (maySendAs(connection, message, named)) return true;
    carried = true;
  }
  return !carried;
}

/** The refusal in words; does not reveal the sender's owner. */
export function notAllowed(named: string, connection?: string): string {
  const where =
    connection === undefined
      ? "no connection of the organisation lists"
      : `the connection ${connection} does not list`;
  return `The template sends as ${named}, which ${where} for this unit. Choose a listed sender, or have it added to the connection's senders.`;
}
