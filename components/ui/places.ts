import { countries } from "./countries.ts";

/** A country by its ISO 3166 code (`DE`) or a language by its ISO 639-1 code (`de`), with its English name. */
interface Place {
  code: string;
  name: string;
}
export type PlaceKind = "region" | "language";

const languageCodes =
  "aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cs cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ig ii ik is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

let languages: readonly Place[] | undefined;

/** All that can be chosen, by name. */
export function placesOf(kind: PlaceKind): readonly Place[] {
  if (kind === "region") return countries;
  const names = new Intl.DisplayNames("en", { type: "language" });
  return (languages ??= languageCodes
    .split(" ")
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, "en")));
}

/** How a kind's codes are written: DE, de. */
const written = (kind: PlaceKind, code: string) =>
  kind === "region" ? code.toUpperCase() : code.toLowerCase();

/** The place of a code; one without a name is called by its code. */
export function placeOf(kind: PlaceKind, code: string): Place {
  return placesOf(kind).find((each) => each.code === code) ?? { code, name: code };
}

/** Without case and accents, so that "reunion" finds Réunion. */
const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();

/**
 * What typed text may mean, best first: an exact code, names and codes that begin with it, names with a word that does, other names
 * that contain it. Two letters that are no known code are offered as one, after everything else.
 */
export function matchPlaces(kind: PlaceKind, typed: string, places = placesOf(kind)): readonly Place[] {
  const text = plain(typed);
  if (text === "") return places;
  const rank = ({ code, name }: Place): number => {
    const words = plain(name);
    if (code.toLowerCase() === text || words === text) return 0;
    if (words.startsWith(text) || code.toLowerCase().startsWith(text)) return 1;
    if (words.split(/[^\p{L}]+/u).some((word) => word.startsWith(text))) return 2;
    return words.includes(text) ? 3 : 4;
  };
  const found = places
    .map((place) => ({ place, rank: rank(place) }))
    .filter((each) => each.rank < 4)
    .sort((one, other) => one.rank - other.rank)
    .map(({ place }) => place);
  const code = written(kind, text);
  return /^[a-z]{2}$/.test(text) && !placesOf(kind).some((each) => each.code === code)
    ? [...found, { code, name: code }]
    : found;
}

/** The one place that typed text says for certain, by its code, its name or as it is shown; else undefined. */
export function certainPlace(kind: PlaceKind, typed: string, places = placesOf(kind)): Place | undefined {
  const text = plain(typed);
  const code = written(kind, text);
  return (
    places.find(
      (each) => each.code === code || plain(each.name) === text || plain(shownPlace(each)) === text,
    ) ??
    (/^[a-z]{2}$/.test(text) && !placesOf(kind).some((each) => each.code === code)
      ? { code, name: code }
      : undefined)
  );
}

/** "Germany (DE)" */
export const shownPlace = ({ code, name }: Place) => (name === code ? code : `${name} (${code})`);
