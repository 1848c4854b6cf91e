import type { EmailMetadata, WhatsappMetadata } from "../template-language/metadata.ts";
import type { CompiledVersion, VersionContent } from "../template-language/render.ts";

/** All texts that a recipient may read, as their author wrote them: findings refer to positions in them. */
export function moderatedTexts({ content, parts }: CompiledVersion): { pointer: string; text: string }[] {
  const liquid = [...parts.values()].map(({ pointer, source }) => ({
    pointer,
    text: pointer === "/body" ? content.body : source,
  }));
  return [...liquid, ...plainTexts(content)];
}

/** Fixed texts around a message, without Liquid. */
function plainTexts({ channel, metadata }: VersionContent): { pointer: string; text: string }[] {
  const around: [pointer: string, text: string | undefined][] = [];
  if (channel === "email") around.push(["/metadata/fromName", (metadata as EmailMetadata).fromName]);
  if (channel === "whatsapp") {
    const { footer, buttons = [] } = metadata as WhatsappMetadata;
    around.push(["/metadata/footer", footer]);
    buttons.forEach(({ text }, index) => around.push([`/metadata/buttons/${String(index)}/text`, text]));
  }
  return around.flatMap(([pointer, text]) => (text === undefined ? [] : [{ pointer, text }]));
}
