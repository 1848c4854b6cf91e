/**
 * SMPP 3.4 on the wire. Requests are written by the `smpp` package; what comes in is read here, because the package
 * decodes texts before their bytes can be read and reads optional parameters past their length.
 */
import smpp from "smpp";

export const command = {
  genericNack: 0x8000_0000,
  submitSm: 0x0000_0004,
  deliverSm: 0x0000_0005,
  unbind: 0x0000_0006,
  bindTransceiver: 0x0000_0009,
  enquireLink: 0x0000_0015,
  dataSm: 0x0000_0103,
  alertNotification: 0x0000_0102,
  outbind: 0x0000_000b,
} as const;
export const responseBit = 0x8000_0000;

export const maxPduBytes = 65_536;
const headerBytes = 16;

export type Header = { id: number; status: number; sequence: number };
export type IncomingPdu = Header & { body: Buffer };

/** A request or an answer, ready to be written. Values are numbers, ASCII strings and, for texts, buffers. */
export function encodePdu(name: string, fields: Record<string, unknown>): Buffer {
  return new smpp.PDU(name, fields).toBuffer();
}

/** Cuts a stream of bytes into PDUs. Throws when it cannot be one of SMPP: there is no way to find the next PDU then. */
export class PduReader {
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): IncomingPdu[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const pdus: IncomingPdu[] = [];
    let offset = 0;
    while (this.rest.length - offset >= 4) {
      const length = this.rest.readUInt32BE(offset);
      if (length < headerBytes || length > maxPduBytes) throw new Error("The peer does not speak SMPP");
      if (this.rest.length - offset < length) break;
      pdus.push({
        id: this.rest.readUInt32BE(offset + 4),
        status: this.rest.readUInt32BE(offset + 8),
        sequence: this.rest.readUInt32BE(offset + 12),
        body: this.rest.subarray(offset + headerBytes, offset + length),
      });
      offset += length;
    }
    this.rest = this.rest.subarray(offset);
    return pdus;
  }
}

export type SmppAddress = { ton: number; npi: number; address: string };

/** A deliver_sm (§4.6.1): a message from a recipient, or a receipt. */
export type Delivery = {
  source: SmppAddress;
  destination: SmppAddress;
  esmClass: number;
  dataCoding: number;
  shortMessage: Buffer;
  /** Optional parameters by tag (§5.3.2). */
  options: Map<number, Buffer>;
};

export const optional = {
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarSequence: 0x020f,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

/** Reads a deliver_sm; throws RangeError when it ends too early. */
export function readDelivery(body: Buffer): Delivery {
  const cursor = new Cursor(body);
  cursor.cstring(); // service_type
  const source = cursor.address();
  const destination = cursor.address();
  const esmClass = cursor.octet();
  cursor.octet(); // protocol_id
  cursor.octet(); // priority_flag
  cursor.cstring(); // schedule_delivery_time
  cursor.cstring(); // validity_period
  cursor.octet(); // registered_delivery
  cursor.octet(); // replace_if_present_flag
  const dataCoding = cursor.octet();
  cursor.octet(); // sm_default_msg_id
  const shortMessage = cursor.octets(cursor.octet());
  return { source, destination, esmClass, dataCoding, shortMessage, options: cursor.optional() };
}

/** The one string of a submit_sm_resp or a bind response: its message_id, or the peer's system_id. */
export function firstString(body: Buffer): string {
  const end = body.indexOf(0);
  return body.toString("latin1", 0, end < 0 ? body.length : end);
}

/** An optional parameter that holds a C-octet string; peers leave the NUL out now and then. */
export function optionalString(value: Buffer | undefined): string | undefined {
  return value && firstString(value);
}

/** An unsigned integer of up to four octets. */
export function optionalNumber(value: Buffer | undefined): number | undefined {
  return value && value.length > 0 && value.length <= 4 ? value.readUIntBE(0, value.length) : undefined;
}

class Cursor {
  private offset = 0;
  private readonly body: Buffer;

  constructor(body: Buffer) {
    this.body = body;
  }

  octet(): number {
    const value = this.body.readUInt8(this.offset);
    this.offset += 1;
    return value;
  }

  octets(length: number): Buffer {
    const end = this.offset + length;
    if (end > this.body.length) throw new RangeError("The PDU ends too early");
    const value = this.body.subarray(this.offset, end);
    this.offset = end;
    return value;
  }

  cstring(): string {
    const end = this.body.indexOf(0, this.offset);
    if (end < 0) throw new RangeError("A string has no end");
    const value = this.body.toString("latin1", this.offset, end);
    this.offset = end + 1;
    return value;
  }

  address(): SmppAddress {
    return { ton: this.octet(), npi: this.octet(), address: this.cstring() };
  }

  /** What is left; a parameter that says it is longer than the PDU ends the list. */
  optional(): Map<number, Buffer> {
    const found = new Map<number, Buffer>();
    while (this.offset + 4 <= this.body.length) {
      const tag = this.body.readUInt16BE(this.offset);
      const length = this.body.readUInt16BE(this.offset + 2);
      if (this.offset + 4 + length > this.body.length) break;
      this.offset += 4;
      found.set(tag, this.octets(length));
    }
    return found;
  }
}
