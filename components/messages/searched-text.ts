import type { Searched } from "../../server/sending/schemas.ts";

const or = (items: readonly string[]) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${String(items.at(-1))}`;

/** What a search that found nothing looked for, and which form would help: two sentences or three. */
export function searchedText(search: Searched): string {
  if (search.id) return "Searched for a message, request or transaction with this ID.";
  const { addresses, endings, word } = search;
  const looked = [
    // What a number without country code may be in full ends so, too.
    ...(addresses.length > 0 && endings.length === 0
      ? [`the ${addresses[0]?.startsWith("+") ? "number" : "address"} ${or(addresses)}`]
      : []),
    ...(endings.length > 0 ? [`numbers ending in ${or(endings)}`] : []),
    ...(word === null || addresses.includes(word)
      ? []
      : [`mail addresses with a word that begins with ${word}`]),
    "a transaction ID that is exactly this",
  ];
  return `Looked for ${or(looked)}. ${advice(search)}`;
}

function advice({ addresses, endings, word, hidden }: Searched): string {
  if (hidden)
    return "You don't have access to addresses. Enter the full ID of a message, request or transaction.";
  if (word?.includes("@") || addresses.some((each) => each.includes("@")))
    return "Enter the beginning of a word in the address, or the whole address.";
  if (endings.length > 0) return "Enter at least 4 last digits, or the whole number.";
  if (addresses.length > 0) return "Check the country code, or enter the last digits.";
  return word === null
    ? "Enter at least 4 last digits of a number, or 3 letters from the beginning of a word in a mail address."
    : "Enter the beginning of a word in a mail address, at least 4 last digits of a number, or a whole ID.";
}

/** Of a search by a part that more addresses have than are shown. */
export const moreAddresses =
  "Only messages to the first 200 matching addresses. Type more of the address to narrow the search.";
