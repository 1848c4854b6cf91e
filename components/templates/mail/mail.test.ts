import { describe, expect, test } from "vitest";
import { checkContent } from "../../../server/template-language/check-content.ts";
import { createTemplate } from "../../../server/templates/create-template.ts";
import { getTemplate } from "../../../server/templates/get-template.ts";
import { previewTemplate } from "../../../server/templates/preview-template.ts";
import { templateCreateSchema, templatePreviewInputSchema } from "../../../server/templates/schemas.ts";
import { testDatabase } from "../../../server/testing/database.ts";
import { makeTenant } from "../../../server/testing/factories.ts";
import { contentOf, emptyDraft, mjmlStart, type Draft } from "../draft.ts";
import { mailBlocks } from "./blocks.ts";
import { insertBlock, type TextEdit } from "./insert-block.ts";
import { asMjml, fitsInText } from "./mjml-document.ts";
import { mjmlElements, type MjmlElement } from "./mjml-elements.ts";
import { mailStarters } from "./starters.ts";
import { withStarter } from "./with-starter.ts";

const database = await testDatabase();
const { system } = await makeTenant(database);

const empty: Draft = { ...emptyDraft("shop", "order/order_status"), name: "start" };
const started = (id: string): Draft => {
  const starter = mailStarters.find((each) => each.id === id);
  if (!starter) throw new Error(`no starter ${id}`);
  return { ...empty, ...withStarter(empty, starter) };
};
const ids = mailStarters.map(({ id }) => id);

const applied = (text: string, edit: TextEdit) =>
  text.slice(0, edit.start) + edit.text + text.slice(edit.end);

async function problemsOf(body: string, draft = empty) {
  const { variables } = contentOf(draft);
  const { problems } = await checkContent(
    {
      channel: "email",
      subject: "Hi",
      body,
      metadata: { format: "mjml" },
      variables,
      compiledBody: null,
    },
    { longest: false },
  );
  return problems;
}

let nth = 0;
/** Saves a draft as the portal does: by the operation's own schema, through moderation. */
const save = (draft: Draft) => {
  const [notificationType, notificationSubtype] = draft.kind.split("/");
  return createTemplate(
    system,
    templateCreateSchema.parse({
      ...contentOf(draft),
      application: draft.application,
      name: `mail-${String(nth++)}`,
      channel: "email",
      notificationType,
      notificationSubtype,
      region: `${String.fromCharCode(65 + (nth % 26))}${String.fromCharCode(65 + Math.floor(nth / 26))}`,
    }),
  );
};

describe("a starter", () => {
  test.each(ids)("can be saved as it is, and is previewed without problems: %s", async (id) => {
    const draft = started(id);
    const saved = await save(draft);
    expect((await getTemplate(system, { id: saved.id })).body).toBe(draft.body);
    expect(saved.moderation.findings).toEqual([]);
    const preview = await previewTemplate(system, templatePreviewInputSchema.parse({ templateId: saved.id }));
    expect(preview.problems).toEqual([]);
    expect(preview.valueProblems).toEqual([]);
    expect(preview.message?.html).toMatch(/<!doctype html>/i);
  });

  test("leaves what somebody has written and declared", () => {
    const own = {
      ...empty,
      subject: "Mine",
      variables: [{ ...started("code").variables[0]!, example: "1" }],
    };
    const starter = mailStarters.find(({ id }) => id === "code")!;
    const draft = { ...own, ...withStarter(own, starter) };
    expect(draft.subject).toBe("Mine");
    expect(draft.variables.map(({ name, example }) => [name, example])).toEqual([
      ["code", "1"],
      ["minutes", "10"],
    ]);
  });
});

describe("the words of a starter can be read, in light and in dark mail programs", () => {
  const attribute = (text: string, { start, openEnd }: MjmlElement, name: string) =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(text.slice(start, openEnd))?.[1];
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one: string, other: string) => {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const dark = (text: string, selector: string) =>
    new RegExp(`\\${selector}[^{}]*\\{ (?:background|color): (#[0-9a-f]{6})`).exec(text)?.[1];
  /** Tags with a light surface that no rule of the dark mode reaches: not the page, not a card, not the table of one. */
  const leftLight = (html: string) => {
    const tags = [...html.replaceAll(/<!--[\s\S]*?-->/g, "").matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);
    return tags.filter((tag, index) => {
      const background = /background(?:-color)?:\s*(#[0-9a-f]{6})/.exec(tag)?.[1];
      if (background === undefined || luminance(background) < 0.5) return false;
      const around = tags[index - 1] ?? "";
      return !(
        tag.startsWith("<body") ||
        // The compiler's own, the body's child.
        tag.includes('role="article"') ||
        tag.includes('class="card"') ||
        (tag.startsWith("<table") && around.includes('class="card"'))
      );
    });
  };

  test.each(ids)("%s", async (id) => {
    const { body: text } = started(id);
    let looked = 0;
    const visit = (element: MjmlElement, around: { background: string; surface: string }) => {
      const background = attribute(text, element, "background-color");
      if (element.name === "mj-text") {
        looked++;
        const css = attribute(text, element, "css-class") ?? "";
        expect(["words", "quiet"]).toContain(css);
        expect(contrast(attribute(text, element, "color") ?? "#1d1d1b", around.background)).toBeGreaterThan(
          4.5,
        );
        expect(contrast(dark(text, `.${css} div`) ?? "", dark(text, around.surface) ?? "")).toBeGreaterThan(
          4.5,
        );
      }
      const surface = attribute(text, element, "css-class");
      const inner =
        background === undefined
          ? around
          : { background, surface: surface === undefined ? around.surface : `.${surface}` };
      for (const child of element.children) visit(child, inner);
    };
    const [root] = mjmlElements(text);
    const body = root?.children.find(({ name }) => name === "mj-body");
    if (!body) throw new Error("no body");
    visit(body, { background: "#ffffff", surface: ".page" });
    expect(looked).toBeGreaterThan(3);
    expect(contrast("#ffffff", "#1f4f8f")).toBeGreaterThan(4.5);
    // The rules arrive with the mail, and so do the classes that they are for.
    const saved = await save(started(id));
    const { message } = await previewTemplate(
      system,
      templatePreviewInputSchema.parse({ templateId: saved.id }),
    );
    expect(message?.html).toContain("prefers-color-scheme: dark");
    expect(message?.html).toMatch(/class="[^"]*\bcard\b/);
    expect(message?.html).toMatch(/class="[^"]*\bwords\b/);
    for (const selector of ["body, .page > div", ".card, .card > table"]) {
      expect(message?.html).toContain(`${selector} { background: #`);
    }
    expect(leftLight(message?.html ?? "")).toEqual([]);
  });
});

describe("a block", () => {
  const documents: [string, Draft][] = [
    ...ids.map((id): [string, Draft] => [id, started(id)]),
    ["the shortest mail", { ...empty, body: mjmlStart }],
    ["one line", { ...empty, body: mjmlStart.replaceAll(/\n\s*/g, "") }],
    ["an empty body", { ...empty, body: "<mjml>\n  <mj-body />\n</mjml>" }],
    [
      "an empty column",
      { ...empty, body: "<mjml><mj-body><mj-section><mj-column></mj-column></mj-section></mj-body></mjml>" },
    ],
    [
      "Liquid and comments",
      {
        ...empty,
        body: `<mjml><mj-body>
  <mj-raw>{% if a > "<mj-body>" %}</mj-raw>
  <mj-wrapper><!-- </mj-wrapper> --><mj-section><mj-column>
    <mj-text>{{ a | append: "</mj-text>" }}</mj-text><mj-button href="{{ a }}?x=1>2">Go</mj-button>
  </mj-column></mj-section></mj-wrapper>
  <mj-raw>{% endif %}</mj-raw>
</mj-body></mjml>`,
        variables: [{ ...started("code").variables[0]!, name: "a" }],
      },
    ],
  ];

  test.each(documents)(
    "inserted anywhere leaves MJML that can be saved, and nothing of the text is lost: %s",
    { timeout: 60_000 },
    async (_, draft) => {
      const text = draft.body;
      expect(await problemsOf(text, draft)).toEqual([]);
      const results = new Map<string, string>();
      for (const block of mailBlocks) {
        for (let cursor = 0; cursor <= text.length; cursor++) {
          const edit = insertBlock(text, cursor, block);
          if (!edit) throw new Error("no place");
          const result = applied(text, edit);
          results.set(result, block.id);
          // Undoing is taking it out again.
          if (edit.start === edit.end) expect(result.replace(edit.text, "")).toBe(text);
          expect(result.replaceAll(/\s/g, "")).toContain(block.mjml.replaceAll(/\s/g, ""));
        }
      }
      // Every place that any cursor leads to, once for each block.
      expect(results.size).toBeGreaterThanOrEqual(mailBlocks.length);
      for (const [result, block] of results) {
        expect(await problemsOf(result, draft), `${block}: ${result}`).toEqual([]);
      }
    },
  );

  test("stands behind the part that the cursor is in", () => {
    const block = mailBlocks.find(({ id }) => id === "button")!;
    const edit = insertBlock(mjmlStart, mjmlStart.indexOf("ello"), block)!;
    expect(applied(mjmlStart, edit)).toBe(
      mjmlStart.replace("Hello</mj-text>", `Hello</mj-text>\n        ${block.mjml}`),
    );
  });

  test.each(mailBlocks.map(({ id }) => id))("can be saved: %s", async (id) => {
    const block = mailBlocks.find((each) => each.id === id)!;
    const edit = insertBlock(mjmlStart, mjmlStart.length, block)!;
    const body = applied(mjmlStart, edit);
    const saved = await save({ ...empty, subject: "Hi", body, metadata: { format: "mjml" } });
    expect((await getTemplate(system, { id: saved.id })).body).toBe(body);
  });

  test("is found a place for in linear time, and never throws", () => {
    const begin = performance.now();
    for (const piece of [
      "<mj-",
      "<mj-text>",
      "{{",
      "{{}}",
      "<!--",
      '<mj-text a="',
      "</mj-text>",
      "<mj-body><mj-column>",
      "<",
    ]) {
      insertBlock(piece.repeat(Math.ceil(262_144 / piece.length)), 100_000, mailBlocks[0]!);
    }
    expect(performance.now() - begin).toBeLessThan(3_000);
  });
});

describe("HTML that becomes MJML", () => {
  test("is the text of a column, as it was", async () => {
    const html = `<p>Hello {{ a }}</p>\n<p><a href="https://example.com/">Shop</a></p>\n<pre>  a\n    b</pre>`;
    const mjml = asMjml(html);
    expect(mjml).toContain(html);
    const draft = { ...empty, variables: [{ ...started("code").variables[0]!, name: "a" }] };
    expect(await problemsOf(mjml, draft)).toEqual([]);
    expect(asMjml(mjml)).toBe(mjml);
  });

  test("is not a whole document, which would lose its head", () => {
    expect(fitsInText("<p>Hi</p>")).toBe(true);
    for (const html of ["<!doctype html><p>", "<html>", "<HEAD>", "<style>p{}</style>", "<body class=a>"]) {
      expect(fitsInText(html)).toBe(false);
    }
  });
});
