import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js";
import { describe, expect, it } from "vitest";
import { ofApplication, readZip } from "./read-upload.ts";

const file = (path: string) => ({ path, content: path });

describe("an upload of template files", () => {
  it("is read from a zip, without what file managers leave behind", async () => {
    const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
    for (const path of ["shop/a/sms/body.txt", "shop/a/sms/.DS_Store", "__MACOSX/shop/a"]) {
      await writer.add(path, new TextReader(path));
    }
    expect(await readZip(await writer.close())).toEqual([file("shop/a/sms/body.txt")]);
  });

  it("says so when it is no zip", async () => {
    await expect(readZip(new Blob(["not a zip"]))).rejects.toThrow(/isn't a zip/);
  });

  it("may hold folders above the templates", () => {
    for (const above of ["", "shop/", "downloads/templates/shop/"]) {
      expect(ofApplication([file(`${above}a/sms/body.txt`), file("README.md")], "shop")).toEqual([
        { path: "a/sms/body.txt", content: `${above}a/sms/body.txt` },
      ]);
    }
  });

  it("gives the application that is asked for, and asks when that is not clear", () => {
    const files = [file("shop/a/sms/body.txt"), file("desk/b/sms/body.txt")];
    expect(ofApplication(files, "desk").map((one) => one.path)).toEqual(["b/sms/body.txt"]);
    expect(() => ofApplication(files, "other")).toThrow(/several folders/);
    expect(() => ofApplication([file("README.md")], "shop")).toThrow(/No templates/);
  });
});
