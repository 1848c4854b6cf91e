import { describe, expect, it } from "vitest";
import { workerGroups } from "../scripts/lib/node-arguments.ts";
import { allLanes, lanesOf } from "./lanes.ts";

describe("--lanes", () => {
  it("names the lanes of a process; without it a process carries all", () => {
    expect(lanesOf([])).toEqual([...allLanes]);
    expect(lanesOf(["--lanes", "transactional,otp"])).toEqual(["otp", "transactional"]);
  });

  it("refuses an unknown lane, and lists the known ones", () => {
    expect(() => lanesOf(["--lanes", "otp,fast"])).toThrow(
      'there is no lane "fast". There are otp, transactional, bulk, sandbox, webhook, maintenance.',
    );
  });

  it("are all carried by the processes that npm start runs, each by one", () => {
    expect(workerGroups.flatMap((group) => lanesOf(["--lanes", group.lanes.join(",")])).sort()).toEqual(
      [...allLanes].sort(),
    );
  });
});
