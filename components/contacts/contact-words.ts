import type { Contact } from "../../server/contacts/schemas.ts";

/** What a contact is called in lists: its name, else what else is known. */
export function titleOf({ name, externalId, addresses }: Contact): string {
  return name ?? externalId ?? addresses[0]?.address ?? "No name";
}

/** Languages of messages by their English names. */
export const languages: readonly { code: string; name: string }[] =
  "ar bg bn cs da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv ml mr ms nb nl no pa pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh"
    .split(" ")
    .map((code) => ({ code, name: new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
