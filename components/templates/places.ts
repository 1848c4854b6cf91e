/** Languages and regions that fields offer; others can be typed. */
export const commonLanguages =
  "ar bg cs da de el en es et fi fr ga hr hu it ja ko lt lv mt nl pl pt ro sk sl sv tr uk zh".split(" ");
export const commonRegions =
  "AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IN IT JP LT LU LV MT NL NO PL PT RO SE SI SK TR UA US".split(
    " ",
  );

/** "de" → "German"; what has no name stays a code. */
export function placeName(type: "language" | "region", code: string): string {
  try {
    return new Intl.DisplayNames("en", { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
