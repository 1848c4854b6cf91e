import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

/** Files in which reading the environment is the point: the one module of the product, and tools. */
const READS_ENVIRONMENT = [
  "deploy/**",
  "server/kernel/env.ts",
  "server/testing/**",
  "scripts/**",
  "bench/**",
  "e2e/**",
  "examples/**",
  "packages/**",
  "*.config.{ts,js}",
];

const TESTS = ["**/*.test.ts", "**/*.test.tsx", "server/testing/**", "e2e/**", "packages/*/test/**"];

export default defineConfig(
  globalIgnores([
    "**/.next",
    "**/.next-*",
    "**/next-env.d.ts",
    ".data",
    "coverage",
    "test-results",
    "playwright-report",
    "public",
    "server/kernel/prisma/generated",
    // Made from the OpenAPI document.
    "packages/sdk-ts/src/schema.ts",
    "**/dist",
  ]),
  {
    files: ["**/*.{ts,tsx,js,mjs,cjs}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: "Read the environment through server/kernel/env.ts.",
        },
      ],
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "server-only", message: "It throws in the worker, which shares this code." },
            {
              name: "process",
              importNames: ["env"],
              message: "Read the environment through server/kernel/env.ts.",
            },
            {
              name: "node:process",
              importNames: ["env"],
              message: "Read the environment through server/kernel/env.ts.",
            },
            {
              name: "next/router",
              message: "Pages live in the App Router: use next/navigation.",
            },
            {
              name: "next/link",
              message: "It fetches every page in sight ahead: use components/ui/link.tsx.",
            },
            {
              name: "sonner",
              message: "It would come with every page: use components/ui/toast.ts.",
            },
          ],
        },
      ],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "none", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      // Adapters and handlers implement asynchronous interfaces; some of them have nothing to await.
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/unified-signatures": "off",
    },
  },
  {
    files: ["app/**", "components/**"],
    extends: [reactHooks.configs.flat["recommended-latest"]],
  },
  { files: READS_ENVIRONMENT, rules: { "no-restricted-syntax": "off" } },
  {
    // What is wrong with a form stands at its fields, never in a bubble of the browser.
    files: ["components/**/*.tsx", "app/**/*.tsx"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: "Read the environment through server/kernel/env.ts.",
        },
        {
          selector: "JSXOpeningElement[name.name='form']:not(:has(JSXAttribute[name.name='noValidate']))",
          message: "Without noValidate the browser complains in bubbles: use components/ui/form.tsx.",
        },
        {
          // What `required` asks for has to be told by somebody: Form, or the form of an operation with its schema.
          selector:
            "JSXOpeningElement[name.name='form']:not(:has(JSXAttribute[name.name='onSubmit'] MemberExpression[property.name='submit']))",
          message: "Use components/ui/form.tsx, or useOperationForm with its submit.",
        },
        {
          selector: "CallExpression[callee.property.name=/^(reportValidity|setCustomValidity)$/]",
          message: "It opens a bubble of the browser: the complaint belongs to the field.",
        },
      ],
    },
  },
  { files: ["components/ui/form.tsx"], rules: { "no-restricted-syntax": "off" } },
  {
    // zod-openapi calls a schema's `example` deprecated. It is still OpenAPI's, one is what we mean, and the rule cannot let a member pass.
    files: [
      "server/**/*schemas.ts",
      "server/**/operations.ts",
      "server/rest/openapi*.ts",
      "server/template-language/metadata.ts",
    ],
    rules: { "@typescript-eslint/no-deprecated": "off" },
  },
  // Tools talk to a terminal; everything that runs as a service logs through the kernel.
  {
    files: ["scripts/**", "bench/**", "examples/**", "packages/**", "prisma/seed/**"],
    rules: { "no-console": "off" },
  },
  {
    // Outbound calls are dialled by the guarded client, which refuses addresses that are not public.
    files: ["server/**", "worker/**"],
    ignores: [
      "server/kernel/outbound-*.ts",
      // These two talk only to addresses of this installation that its operator configured.
      "server/sandbox/read-mailbox.ts",
      "server/sending/simulated-callbacks.ts",
      ...TESTS,
    ],
    rules: {
      "no-restricted-globals": ["error", { name: "fetch", message: "Use kernel/outbound-http.ts." }],
    },
  },
  {
    files: TESTS,
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/unbound-method": "off",
    },
  },
);
