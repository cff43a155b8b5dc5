// Tests that each `rxpi …` of the pages is a command line that rxpi takes.
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../app/cli/command-line.ts'
import { describeThrown } from '../../lib/streams/values/failure.ts'

/** Written by scripts, or about commands of other programs. */
const generated = new Set(['conformance.md', 'performance.md', 'size.md', 'security-commands.md', 'protocol.md'])
const pages = ['README.md', ...readdirSync('docs').filter((name) => name.endsWith('.md') && !generated.has(name)).map((name) => `docs/${name}`)] // prettier-ignore

/** Words in the place of which a reader writes a value of their own. */
const examples: Readonly<Record<string, string>> = { ID: 'abcdefghij23', SESSION: 'abcdefghij23', ENTRY: 'k2v7m3qa' }

/** Splits as a shell does, up to a comment, a pipe or a redirection. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [word] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (/^(?:#|[|&;<>]|\d?>)/.test(word)) break
    const text = word.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_, single?: string, double?: string) => single ?? double ?? '',
    )
    words.push(examples[text] ?? text)
  }
  return words
}

/** The command lines of the code blocks; a description may follow behind two spaces. */
function commandsOf(page: string): string[][] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms)
  return Array.from(blocks)
    .filter(([, language = '']) => ['', 'sh', 'bash', 'console'].includes(language))
    .flatMap(([, , block = '']) => block.split('\n'))
    .flatMap((line) => {
      const [, command] = /(?:^|\| |^\$ )(?:[A-Z_]+=\S+ )*rxpi( .*)?$/.exec(line) ?? []
      return command === undefined ? [] : [command.trim().replaceAll(/<[^>]*>/g, 'abcdefghij23')]
    })
    .map((command) => wordsOf(command.split(/ {2,}/)[0] ?? ''))
}

function problemOf(words: readonly string[]): string | undefined {
  try {
    parseCommandLine(words)
    return undefined
  } catch (error) {
    return `rxpi ${words.join(' ')}: ${describeThrown(error)}`
  }
}

describe('the command lines of the pages', () => {
  it.each(pages)('of %s are taken', (page) => {
    expect(commandsOf(page).flatMap((words) => problemOf(words) ?? [])).toEqual([])
  })

  it('are found', () => {
    expect(pages.flatMap(commandsOf).length).toBeGreaterThan(120)
  })

  it.each(pages)('in the text of %s name commands and options that exist', (page) => {
    const text = readFileSync(page, 'utf8').replaceAll(/^```.*?^```$/gms, '')
    const inline = Array.from(text.matchAll(/`rxpi ([^`]*)`/g), ([, command = '']) =>
      wordsOf(command.replaceAll('"…"', '"some words"').replaceAll('…', '')),
    )
    const problems = inline.flatMap((words) => problemOf(words) ?? [])
    expect(
      problems.filter((problem) => /there is no (?:command|option)|has no (?:option|action)/.test(problem)),
    ).toEqual([])
  })
})
