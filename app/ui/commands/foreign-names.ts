// Maps names that commands have in other agents to the commands of this UI (docs/coming-from.md).

/** By the other name; a command of an extension or a template with that name still counts first. */
const foreignNames: Readonly<Record<string, string>> = {
  fork: 'branch',
  clone: 'branch',
  rewind: 'undo',
  redo: 'tree',
  session: 'stats',
  usage: 'stats',
  effort: 'thinking',
  hotkeys: 'help',
  connect: 'login',
  themes: 'theme',
  tasks: 'jobs',
  details: 'output',
  share: 'export',
  summarize: 'compact',
}

/** The command of this UI that does what `name` does in pi, Claude Code, codex or opencode. */
export function commandForForeignName(name: string): string | undefined {
  return Object.hasOwn(foreignNames, name) ? foreignNames[name] : undefined
}
