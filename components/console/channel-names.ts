const names: Record<string, string> = { sms: "SMS", email: "E-mail", whatsapp: "WhatsApp" };

export const channelNames = (channels: readonly string[]): string =>
  channels.map((channel) => names[channel] ?? channel).join(", ");
