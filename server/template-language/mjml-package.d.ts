/** The part of the package's interface that is used here; it has no types of its own. */
declare module "mjml" {
  export interface MjmlError {
    /** From 1. */
    line: number;
    message: string;
    tagName: string;
  }
  export interface MjmlOptions {
    fonts: Record<string, string>;
    keepComments: boolean;
    minify: boolean;
    ignoreIncludes: boolean;
    validationLevel: "skip" | "soft" | "strict";
  }
  export default function mjml2html(
    source: string,
    options: MjmlOptions,
  ): Promise<{ html: string; errors: MjmlError[] }>;
}
