import { expect, test } from "vitest";
import { idFloor, isUuid, newId, timeOfId } from "./ids.ts";

const at = Date.parse("2026-11-25T14:05:00Z");

test("ids of one process increase, also when the clock goes back a little", () => {
  const times = [...new Array<number>(10_000).fill(at), at - 5_000, at - 1, at + 20];
  const ids = times.map((time) => newId(time));
  expect(ids.every(isUuid)).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a clock that was far ahead for a moment leaves nothing behind: ids are of the time that it is", () => {
  newId(at);
  expect(timeOfId(newId(Date.parse("2031-01-01T00:00:00Z")))).toBe(Date.parse("2031-01-01T00:00:00Z"));
  const after = newId(at + 100);
  expect(timeOfId(after)).toBe(at + 100);
  expect(newId(at + 100) > after).toBe(true);
});

test("the floor of a time is the smallest id of it", () => {
  expect(idFloor(new Date(at)) < newId(at + 60_000)).toBe(true);
  expect(timeOfId(idFloor(new Date(at)))).toBe(at);
});
