/** Numbers and names as SMPP addresses (§5.2.5, §5.2.6) and back. */
import type { SmppSettings } from "./schemas.ts";
import type { SmppAddress } from "./smpp-pdu.ts";

/** What a message is sent to: an E.164 number; null when it is none. */
export function destinationAddress(to: string, settings: SmppSettings): SmppAddress | null {
  const digits = /^\+([1-9]\d{6,14})$/.exec(to)?.[1];
  if (digits === undefined) return null;
  return { ton: settings.destinationTon ?? 1, npi: settings.destinationNpi ?? 1, address: digits };
}

/**
 * What a message comes from: international 1/1 for E.164, network specific 3/0 for a short code, alphanumeric 5/0 for a
 * name of at most eleven characters; null when it is none of these.
 */
export function sourceAddress(sender: string, settings: SmppSettings): SmppAddress | null {
  const usual = usualSource(sender);
  return usual && { ...usual, ton: settings.sourceTon ?? usual.ton, npi: settings.sourceNpi ?? usual.npi };
}

function usualSource(sender: string): SmppAddress | null {
  if (/^\+[1-9]\d{6,14}$/.test(sender)) return { ton: 1, npi: 1, address: sender.slice(1) };
  if (/^\d{3,8}$/.test(sender)) return { ton: 3, npi: 0, address: sender };
  if (/^[\x20-\x7e]{1,11}$/.test(sender) && /[A-Za-z]/.test(sender))
    return { ton: 5, npi: 0, address: sender };
  return null;
}

/**
 * An address that a message centre names, as the rest of the service writes it: E.164 with "+" when it is international or
 * cannot be anything else, otherwise (short codes, names, national numbers) as it came.
 */
export function readableAddress({ ton, address }: SmppAddress): string {
  if (ton === 5) return address;
  const digits = address.replace(/^(\+|00)/, "");
  const international = ton === 1 || digits !== address || (ton === 0 && digits.length > 8);
  return international && /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : address;
}
