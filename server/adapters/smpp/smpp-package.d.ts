/** The part of the package's interface that is used here and in tests; it brings no types of its own. */
declare module "smpp" {
  import type { EventEmitter } from "node:events";
  import type { Server as NetServer, Socket } from "node:net";

  export interface Pdu {
    command: string;
    command_id: number;
    command_status: number;
    sequence_number: number;
    [parameter: string]: unknown;
    response(options?: Record<string, unknown>): Pdu;
    isResponse(): boolean;
    toBuffer(): Buffer;
  }
  export interface Session extends EventEmitter {
    socket: Socket;
    send(pdu: Pdu, onResponse?: (pdu: Pdu) => void): boolean;
    deliver_sm(options: Record<string, unknown>, onResponse?: (pdu: Pdu) => void): boolean;
    enquire_link(options: Record<string, unknown>, onResponse?: (pdu: Pdu) => void): boolean;
    unbind(onResponse?: (pdu: Pdu) => void): boolean;
    pause(): void;
    resume(): void;
    close(): void;
    destroy(): void;
  }
  interface Smpp {
    PDU: new (command: string, options?: Record<string, unknown>) => Pdu;
    /** GSM 03.38 (coding 0): one septet an octet; what it lacks becomes a space. */
    gsmCoder: {
      GSM: { chars: string; extChars: string };
      encode(text: string, coding: number): Buffer;
      decode(septets: Buffer, coding: number): string;
    };
    /** Name of a command status → its number. */
    errors: Record<string, number>;
    createServer(options: { key?: string; cert?: string }, onSession: (session: Session) => void): NetServer;
  }
  const smpp: Smpp;
  export default smpp;
}
