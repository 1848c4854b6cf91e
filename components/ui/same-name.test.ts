import { expect, test } from "vitest";
import { sameName } from "./same-name.ts";

test("a name is typed as it is read, whatever of it cannot be seen", () => {
  expect(sameName(" Zürich  ", "Zu\u0308rich")).toBe(true);
  expect(sameName("Spring sale", "Spring  sale ")).toBe(true);
  expect(sameName("حملة", "\u200fحملة")).toBe(true);
  expect(sameName("spring sale", "Spring sale")).toBe(false);
  expect(sameName("", "Spring sale")).toBe(false);
});
