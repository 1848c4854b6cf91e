import { SegmentedMessage } from "sms-segments-calculator";

export interface SmsSegments {
  encoding: "GSM-7" | "UCS-2";
  segments: number;
  /** The distinct characters that GSM-7 lacks, in order of appearance: what makes the message UCS-2. */
  unicodeCharacters: string[];
}

// Characters that take exactly one septet, without the extension table and without line breaks, whose pairing counts.
const plainGsm = /^[ !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà]*$/;

/** How a text is encoded and billed as SMS (3GPP TS 23.038, TS 23.040): 160 septets, or 153 for each of several. */
export function smsSegments(text: string, encoding: "auto" | "GSM-7" | "UCS-2" = "auto"): SmsSegments {
  if (encoding !== "UCS-2" && text !== "" && plainGsm.test(text)) {
    const segments = text.length <= 160 ? 1 : Math.ceil(text.length / 153);
    return { encoding: "GSM-7", segments, unicodeCharacters: [] };
  }
  const message = new SegmentedMessage(text, encoding === "UCS-2" ? "UCS-2" : "auto");
  return {
    encoding: message.encodingName,
    segments: message.segmentsCount,
    unicodeCharacters: encoding === "UCS-2" ? [] : [...new Set(message.getNonGsmCharacters())],
  };
}
