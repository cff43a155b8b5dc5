// Writes docs/rxpi.1, the manual page, from the texts of `--help`. Run it after one of them changed.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { helpTexts } from '../../app/cli/help/help.ts'

const root = path.join(import.meta.dirname, '../..')
export const manPageFile = path.join(root, 'docs/rxpi.1')

/** The page in the macros of man(7). The texts keep their lines and columns. */
export function manPage(): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const { rxpi, ...commands } = helpTexts
  const [, ...sections] = rxpi.split(/^(Usage|Options|Examples|Exit codes)\n/m)
  const [, usage = '', ...others] = sections
  return [
    `.TH RXPI 1 "" "rxpi ${version}" "User Commands"`,
    '.SH NAME',
    'rxpi \\- a coding agent that runs headless',
    '.SH SYNOPSIS',
    ...literal(usage),
    '.SH DESCRIPTION',
    'rxpi works in the terminal, in scripts and in programs. A session is one ordered stream of events; rxpi writes an',
    'event to the log of the session before it publishes it. In a terminal and without -p it opens the terminal UI.',
    ...pairsOf(others).flatMap(([title, text]) => [`.SH ${title.toUpperCase()}`, ...literal(text)]),
    '.SH COMMANDS',
    ...Object.entries(commands).filter(isFirst).flatMap(([topic, text]) => [`.SS rxpi ${topic.replace('-', ' ')}`, ...literal(text)]),
    '.SH ENVIRONMENT',
    '.TP',
    '.B RXPI_HOME',
    'The folder of sessions and long outputs. The default is',
    '.IR ~/.local/state/rxpi .',
    '.PP',
    'The command',
    '.B rxpi config list \\-\\-json',
    'names the variable of each setting.',
    '.SH FILES',
    '.TP',
    '.I ~/.config/rxpi/settings.json',
    'The settings of the user. The page docs/configuration.md of the package describes this file and the others.',
    '.SH SEE ALSO',
    'The folder docs of the package.',
    '',
  ].join('\n')
}

/** Several topics can share one text. */
function isFirst([, text]: readonly [string, string], at: number, all: readonly (readonly [string, string])[]): boolean {
  return all.findIndex((each) => each[1] === text) === at
}

function pairsOf(parts: readonly string[]): [title: string, text: string][] {
  return parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? '']] : []))
}

function literal(text: string): string[] {
  const lines = text.trimEnd().split('\n')
  return ['.nf', ...lines.map((line) => line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&')), '.fi']
}

if (import.meta.filename === process.argv[1]) writeFileSync(manPageFile, manPage())
