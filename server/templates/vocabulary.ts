/** What pages read of this domain without its schemas. */
export { liquidFilters, liquidTags } from "../template-language/liquid-words.ts";
