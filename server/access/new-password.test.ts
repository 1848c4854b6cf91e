import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { hashNewPassword } from "./new-password.ts";
import { verifyPassword } from "./password.ts";

const chooser = ["Olga Owner", "olga.owner@acme.example", "acme"];
const complaint = (password: string, who: readonly string[] = chooser) =>
  hashNewPassword(password, { pointer: "/password", chooser: who }).then(
    () => "fine",
    (error: unknown) => (error as { errors: { code: string; pointer: string }[] }).errors[0]?.code,
  );

test("a few words, or what a password manager makes, is taken, and hashed", async () => {
  const hash = await hashNewPassword("correct horse battery staple", { pointer: "/password", chooser });
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(await verifyPassword(hash, "correct horse battery staple")).toBe(true);
  for (const password of [
    "quiet otters knit nine",
    "R7#pQ2!vLm9z",
    "ein langer satz mit fünf worten",
    "日本語のとても長いパスワード",
  ]) {
    expect(await complaint(password), password).toBe("fine");
  }
});

test("what stands on the list of leaked passwords is refused, in any case", async () => {
  for (const password of ["1qaz2wsx3edc", "QWERTY123456", "motherfucker"]) {
    expect(await complaint(password), password).toBe("leaked_password");
  }
});

test("what is easy to guess is refused: common words with digits, rows of keys, repetitions, what is known of the person", async () => {
  for (const password of [
    "password1234",
    "P4ssw0rd!123",
    "qwertyuiop12",
    "123456789012",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "iloveyou1234",
    "OwnerOwner99",
  ]) {
    expect(await complaint(password), password).toMatch(/^(weak|leaked)_password$/);
  }
});

test("what is too short or too long is refused, at the field that was named", async () => {
  expect(await complaint("short")).toBe("too_small");
  expect(await complaint("x".repeat(1_025))).toBe("too_big");
  await expect(hashNewPassword("short", { pointer: "/accept/password", chooser })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/accept/password", detail: "At least 12 characters" }],
  });
});

test("no password repeats itself in what is answered", async () => {
  const error = await hashNewPassword("password1234", { pointer: "/password", chooser }).catch(
    (reason: unknown) => reason,
  );
  expect(JSON.stringify(error) + String(error)).not.toContain("password1234");
});

test("none takes long to judge, however it is made: letters that stand for others, repetitions, 1,024 characters", async () => {
  const alphabets = ["@4{[3(6&9|!1$5+7%2", "p4s$w0rd@!|1", "asdfghjkl", "aB", "19901231"];
  await complaint("the lists are loaded now");
  let longest = 0;
  for (let round = 0; round < 40; round++) {
    const alphabet = alphabets[round % alphabets.length]!;
    const password = Array.from({ length: 1_024 }, () => alphabet[randomInt(alphabet.length)]).join("");
    const begun = performance.now();
    await complaint(
      password,
      Array.from({ length: 500 }, () => password.slice(0, 20)),
    );
    longest = Math.max(longest, performance.now() - begun);
  }
  // Most of it is the hash, which does not hold up the process.
  expect(longest).toBeLessThan(1_000);
});
