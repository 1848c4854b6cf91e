import { expect, test } from "vitest";
import { decodeTimeCursor, encodeTimeCursor } from "./cursor.ts";
import { idFloor, isUuid, newId } from "./ids.ts";

const made = (text: string) => Buffer.from(text).toString("base64url");

test("a place in a list in order of time comes back as it was, and what nobody was given is refused", () => {
  const [at, id] = [new Date("2026-11-25T14:05:00.123Z"), newId()];
  expect(decodeTimeCursor(encodeTimeCursor(at, id))).toEqual({ at, id });
  expect(decodeTimeCursor(undefined)).toBeUndefined();
  for (const text of ["", "x", `/${id}`, `-1/${id}`, `1e3/${id}`, `1/${id}x`, "1/2", `999999999999999/${id}`])
    expect(() => decodeTimeCursor(made(text)), text).toThrow("Pass nextCursor");
});

test("the latest time that a cursor can name is one that an id can begin with", () => {
  const latest = decodeTimeCursor(made(`99999999999999/${newId()}`));
  expect(isUuid(idFloor(new Date((latest?.at.getTime() ?? 0) + 86_400_000)))).toBe(true);
});
