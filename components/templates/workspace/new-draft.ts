import type { Template } from "../../../server/templates/schemas.ts";
import { channels } from "../../messages/channel.tsx";
import { draftOf, emptyDraft, type Draft } from "../draft.ts";

/** What a link says about the template to be created; null: nothing. */
export type Wish = {
  name: string | null;
  channel: string | null;
  type: string | null;
  subtype: string | null;
  region: string | null;
  language: string | null;
  provider: string | null;
};

/**
 * The empty draft of a new template: what the link says, the rest open. A variant stays on the channel of the text that it
 * is made from, unless the link asks for another one.
 */
export function newDraft(application: string, wish: Wish, source?: Pick<Template, "channel">): Draft {
  return {
    ...emptyDraft(
      application,
      wish.type && wish.subtype ? `${wish.type}/${wish.subtype}` : (wish.type ?? ""),
    ),
    name: wish.name ?? "",
    channel: channels.find((channel) => channel === wish.channel) ?? source?.channel ?? "email",
    region: wish.region ?? "",
    language: wish.language ?? "",
    provider: wish.provider ?? "",
  };
}

/** The draft that a text is copied into; to another channel its words and variables come along, not its mark-up. */
export function copyInto(empty: Draft, source: Template): Draft {
  const { subject, body, metadata, variables } = draftOf(source);
  if (source.channel === empty.channel) return { ...empty, subject, body, metadata, variables };
  return { ...empty, body: source.channel === "email" ? "" : body, variables };
}
