import { describe, expect, it } from "vitest";
import { pageRequest } from "../kernel/page-request.ts";
import { drawPage, readViewer } from "./page-requests.ts";

describe("where the reader of a page is", () => {
  it("is read from the cookie among others", () => {
    expect(readViewer("a=1; tidings-viewer=de-DE~Europe%2FBerlin; b=2")).toEqual({
      locale: "de-DE",
      timeZone: "Europe/Berlin",
    });
    expect(readViewer("tidings-viewer=zh-Hant-TW~Asia%2FTaipei")?.locale).toBe("zh-Hant-TW");
  });

  it.each([
    undefined,
    "",
    "tidings-viewer=",
    "tidings-viewer=de-DE",
    "tidings-viewer=de-DE~Nowhere%2FTown",
    "tidings-viewer=de-DE~%E0%A4%A",
    "tidings-viewer=en-u-ca-buddhist~UTC",
    "tidings-viewer=../../etc~UTC",
    `tidings-viewer=en~${"A".repeat(10_000)}`,
    "other-tidings-viewer=de-DE~UTC",
  ])("is unknown when the cookie says nothing that exists: %s", (cookie) => {
    expect(readViewer(cookie)).toBeUndefined();
  });

  it("belongs to one request, however many are drawn at once", async () => {
    const zoneAfter = async (ms: number) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return pageRequest()?.viewer?.timeZone;
    };
    const both = await Promise.all([
      drawPage("tidings-viewer=en~Asia%2FTokyo", () => zoneAfter(20)),
      drawPage("tidings-viewer=en~Europe%2FParis", () => zoneAfter(5)),
    ]);
    expect(both).toEqual(["Asia/Tokyo", "Europe/Paris"]);
    expect(pageRequest()).toBeUndefined();
  });
});
