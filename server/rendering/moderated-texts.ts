import type { EmailMetadata, SmsMetadata, WhatsappMetadata } from "../template-language/metadata.ts";
import type { CompiledVersion, VersionContent } from "../template-language/render.ts";

/** All texts that a recipient may read, as their author wrote them: findings refer to positions in them. */
export function moderatedTexts({ content, parts }: CompiledVersion): { pointer: string; text: string }[] {
  const liquid = [...parts.values()].map(({ pointer, source }) => ({
    pointer,
    text: pointer === "/body" ? content.body : source,
  }));
  return [...liquid, ...plainTexts(content)];
}

/** Texts without Liquid: those around a message, and the values that a variable may have. */
function plainTexts({ channel, metadata, variables }: VersionContent): { pointer: string; text: string }[] {
  const around: [pointer: string, text: string | undefined][] = [];
  if (channel === "sms") around.push(["/metadata/senderId", (metadata as SmsMetadata).senderId]);
  if (channel === "email") around.push(["/metadata/fromName", (metadata as EmailMetadata).fromName]);
  if (channel === "whatsapp") {
    const { footer, buttons = [] } = metadata as WhatsappMetadata;
    around.push(["/metadata/footer", footer]);
    buttons.forEach((button, index) => {
      const at = `/metadata/buttons/${String(index)}`;
      around.push([`${at}/text`, button.text]);
      if (button.type === "quick_reply") around.push([`${at}/payload`, button.payload]);
    });
  }
  variables.forEach(({ values = [] }, index) => {
    values.forEach((value, place) => {
      around.push([`/variables/${String(index)}/values/${String(place)}`, value]);
    });
  });
  return around.flatMap(([pointer, text]) => (text === undefined ? [] : [{ pointer, text }]));
}
