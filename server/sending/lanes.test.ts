import { expect, test } from "vitest";
import { laneOf } from "./lanes.ts";

test("a message takes its class's lane, a campaign the bulk lane, and nothing of a sandbox a lane of real messages", () => {
  expect(laneOf({ class: "authentication", sandbox: false })).toBe("otp");
  expect(laneOf({ class: "transactional", sandbox: false }, 999)).toBe("transactional");
  expect(laneOf({ class: "service", sandbox: false }, 1_000)).toBe("bulk");
  expect(laneOf({ class: "marketing", sandbox: false })).toBe("bulk");
  expect(laneOf({ class: "authentication", sandbox: false }, 999)).toBe("otp");
  expect(laneOf({ class: "authentication", sandbox: false }, 1_000)).toBe("bulk");
  for (const name of ["authentication", "transactional", "service", "marketing"] as const) {
    expect(laneOf({ class: name, sandbox: true }, 1_000)).toBe("sandbox");
  }
});
