import type { Command } from "./commands.ts";
import { UsageError } from "./usage-error.ts";

const optionsOf = ({ options = {} }: Command): string[] =>
  [...Object.keys(options), "json", "help"].map((name) => `--${name}`);

/** A script that completes commands and their options. */
export function completionFor(shell: string, commands: Record<string, Command>): string {
  const names = Object.keys(commands);
  const first = [...new Set(names.map((name) => name.split(" ")[0] ?? ""))];
  const groups = first
    .map((group) => ({
      group,
      inner: names.filter((name) => name.startsWith(`${group} `)).map((name) => name.slice(group.length + 1)),
    }))
    .filter(({ inner }) => inner.length > 0);
  if (shell === "bash" || shell === "zsh") {
    const cases = [
      ...groups.map(({ group, inner }) => `    "${group}") words="${inner.join(" ")}" ;;`),
      ...Object.entries(commands).map(
        ([name, command]) => `    "${name}"*) words="${optionsOf(command).join(" ")}" ;;`,
      ),
    ];
    return `${shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_tidings() {
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words
  case "$line" in
    "") words="${first.join(" ")}" ;;
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tidings tidings
`;
  }
  if (shell === "fish") {
    const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
    const lines = [
      "complete -c tidings -f",
      ...first.map((name) => {
        const summary = commands[name]?.summary ?? "";
        return `complete -c tidings -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`;
      }),
      ...groups.flatMap(({ group, inner }) =>
        inner.map(
          (name) =>
            `complete -c tidings -n '__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${inner.join(" ")}' -a ${name} -d ${quoted(commands[`${group} ${name}`]?.summary ?? "")}`,
        ),
      ),
      ...Object.entries(commands).flatMap(([name, command]) => {
        const seen = name
          .split(" ")
          .map((word) => `__fish_seen_subcommand_from ${word}`)
          .join("; and ");
        return optionsOf(command).map((option) => `complete -c tidings -n '${seen}' -l ${option.slice(2)}`);
      }),
    ];
    return `${lines.join("\n")}\n`;
  }
  throw new UsageError(`There is no completion for ${shell}. There are bash, zsh and fish.`);
}
