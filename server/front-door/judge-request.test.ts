import fc from "fast-check";
import { expect, it } from "vitest";
import { tame } from "./judge-request.ts";

function tamed(url: string, method = "GET") {
  const request = { url, method };
  tame(request);
  return request;
}

it("makes every path decodable, and leaves those alone that are", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("%", "ff", "41", "/", "?", "a", "%c3%a9", "%E0%A4%A")), (parts) => {
      const url = `/${parts.join("")}`;
      const path = url.split("?", 1)[0] ?? "";
      let decodable = true;
      try {
        decodeURIComponent(path);
      } catch {
        decodable = false;
      }
      const after = tamed(url).url;
      expect(() => decodeURIComponent(after.split("?", 1)[0] ?? "")).not.toThrow();
      if (decodable) expect(after).toBe(url);
      else expect(decodeURIComponent(after.split("?", 1)[0] ?? "")).toBe(path);
      expect(after.split("?").slice(1)).toEqual(url.split("?").slice(1));
    }),
  );
});

it("keeps the query as it is", () => {
  expect(tamed("/a?b=%ff").url).toBe("/a?b=%ff");
  expect(tamed("/%ff?b=%ff").url).toBe("/%25ff?b=%ff");
});

it("turns TRACE into a method that no route has", () => {
  expect(tamed("/a", "TRACE").method).toBe("PROPFIND");
  expect(tamed("/a", "POST").method).toBe("POST");
});
