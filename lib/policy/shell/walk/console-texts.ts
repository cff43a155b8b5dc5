// Finds shell commands in what consoles read: `\!` of psql, `.shell` of sqlite3, `:!` of vim.
import { literals } from '../model/option-value.ts'

/** By program: patterns whose first group is a command, in a word or in a line of the input. */
const escapes: Readonly<Record<string, readonly RegExp[]>> = {
  sqlite3: [
    /^\s*\.(?:shell|system)\s+(.+)$/gm,
    /^\s*\.(?:output|once|import|read|log|trace)\b[^|\n]*["'|]?\|\s*([^"'\n]+)/gm,
  ],
  psql: [
    /\\!\s*(.+)$/gm,
    /\\(?:o|out|g|gx|w|write)\s*["']?\|\s*(.+)$/gm,
    /\\\w+[^`\n]*`([^`\n]+)`/gm,
    /\b(?:from|to)\s+program\s+'((?:[^']|'')+)'/gi,
  ],
  mysql: [/(?:^|;)\s*(?:\\!|system\s)\s*([^;\n]+)/gim, /(?:^|;)\s*(?:\\P|pager\s)\s*([^;\n]+)/gim],
  ed: [/^!(.+)$/gm, /^\d*[rwe]\s*!(.+)$/gm],
  ftp: [/^\s*!(.+)$/gm],
  sftp: [/^\s*!(.+)$/gm],
  lftp: [/(?:^|;)\s*!([^;\n]+)/gm],
  telnet: [/^\s*!(.+)$/gm],
  mail: [/^~!(.+)$/gm, /^~\|(.+)$/gm],
  vim: [
    /^\+?:?(?:%|\.|\d*,?\d*)!(.*)$/gs,
    /^\+?:?(?:sil(?:ent)?!?|exe\w*)\s+["']?:?!(.*)$/gs,
    /^\+?:?[rw](?:ead|rite)?\s+!(.*)$/gs,
  ],
  less: [/^\+?!(.*)$/gs],
  gdb: [/^\s*(?:(?:platform )?shell |!)(.*)$/gm],
  expect: [/\b(?:spawn|exec|system)\s+([^;\n]*)/g],
  ghci: [/^\s*:!\s*(.+)$/gm],
  ipython: [/(?:^|;)\s*!{1,2}([^;\n]+)/gm],
  m4: [/\be?syscmd\(`?([^)']*)/g],
  gnuplot: [/(?:^|;)\s*(?:!|shell\s)\s*([^;\n]+)/gm],
}

/** Programs that read the language of another. */
const sameAs: Readonly<Record<string, string>> = {
  mariadb: 'mysql',
  pgcli: 'psql',
  cockroach: 'psql',
  sqlite: 'sqlite3',
  duckdb: 'sqlite3',
  litecli: 'sqlite3',
  mycli: 'mysql',
  vi: 'vim',
  nvim: 'vim',
  ex: 'vim',
  view: 'vim',
  vimdiff: 'vim',
  gvim: 'vim',
  more: 'less',
  most: 'less',
  lldb: 'gdb',
  red: 'ed',
  mailx: 'mail',
}

/** Calls of these in the language of an editor run their literals. */
const calls = /\b(?:system(?:list)?|os\.execute|io\.popen|jobstart|termopen|popen|vim\.fn\.system)\s*\(/

/** All commands that the words and the input hand to a shell. */
export function consoleTexts(program: string, args: readonly string[], stdin = ''): readonly string[] {
  const name = Object.hasOwn(sameAs, program) ? (sameAs[program] ?? program) : program
  if (!Object.hasOwn(escapes, name)) return []
  return [...args, stdin].flatMap((text) => [
    ...(escapes[name] ?? []).flatMap((pattern) => [...text.matchAll(pattern)].map(([, command = '']) => command)),
    ...(/^(?:vim|gnuplot)$/.test(name) && calls.test(text) ? literals(text, `"'`) : []),
  ])
}
