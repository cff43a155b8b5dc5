import { describe, expect, it } from 'vitest'
import { commandOptions } from '../../../../app/cli/command-options.ts'
import type { OptionName } from '../../../../app/cli/command-options.ts'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { completeWords } from '../../../../app/cli/complete/complete-words.ts'
import { rootSyntax, toolNames } from '../../../../app/cli/complete/command-table.ts'
import type { CommandSyntax } from '../../../../app/cli/complete/command-table.ts'
import { help } from '../../../../app/cli/help/help.ts'
import { builtInTools } from '../../../../lib/tools/index.ts'

function valuesOf(...line: readonly string[]): string[] {
  return completeWords(line).candidates.map(({ value }) => value)
}

describe('completing words', () => {
  it.each<[string[], string[]]>([
    [['se'], ['sessions', 'serve']],
    [
      ['sessions', 'r'],
      ['replace', 'rename', 'rm', 'replay', 'repair'],
    ],
    [['mcp', 'se'], ['serve']],
    [
      ['sessions', 'branch', '--'],
      ['--json', '--new-file', '--summarise', '--restore-files', '--dry-run', '--force', '--help'],
    ],
    [['--th'], ['--thinking']],
    [
      ['-p', '--approve', ''],
      ['ask', 'writes', 'auto'],
    ],
    [['-p', '--approve=w'], ['writes']],
    [['-p', '--tools', 'read,ba'], ['bash']],
    [
      ['tool', 'job_'],
      ['job_output', 'job_input', 'job_kill'],
    ],
    [['auth', 'login', 'xai', 'b'], ['browser']],
    [
      ['mcp', 'import', 'c'],
      ['claude', 'codex', 'cursor'],
    ],
    [['completions', 'f'], ['fish']],
    // a prompt has no commands, and words after -- are neither commands nor options
    [['-p', 'se'], []],
    [['sessions', '--', 'r'], []],
    [['-p', '--', '--mo'], []],
    [['import', ''], ['pi']],
    [['stop', ''], []],
  ])('%j', (line, expected) => {
    expect(valuesOf(...line)).toEqual(expected)
  })

  it.each<[string[], { before: string; typed: string; kinds: string[] }]>([
    [['--model', 'open'], { before: '', typed: 'open', kinds: ['model'] }],
    [['--model=open'], { before: '--model=', typed: 'open', kinds: ['model'] }],
    [['attach', 'ab'], { before: '', typed: 'ab', kinds: ['session'] }],
    [['sessions', 'show', ''], { before: '', typed: '', kinds: ['session', 'file'] }],
    [['sessions', 'label', 'abcdefghij23', ''], { before: '', typed: '', kinds: [] }],
    [['-p', 'x', '@src/'], { before: '@', typed: 'src/', kinds: ['file'] }],
    [['import', 'pi', '--keys', 'openai,an'], { before: 'openai,', typed: 'an', kinds: ['provider'] }],
    [['-o', 'x'], { before: '', typed: 'x', kinds: ['file'] }],
    [['config', 'get', 'lim'], { before: '', typed: 'lim', kinds: ['setting'] }],
    [['mcp', 'restart', ''], { before: '', typed: '', kinds: ['mcp server'] }],
    [['extensions', 'ack', ''], { before: '', typed: '', kinds: ['extension', 'file'] }],
    [['remove', ''], { before: '', typed: '', kinds: ['package'] }],
  ])('%j looks up', (line, expected) => {
    const { before, typed, kinds } = completeWords(line)
    expect({ before, typed, kinds }).toEqual(expected)
  })

  it('describes commands, actions and options by the help texts', () => {
    const described = (...line: string[]): unknown => completeWords(line).candidates
    expect(described('attach')).toEqual([{ value: 'attach', text: 'follows a session live' }])
    expect(described('sessions', 'verify')).toEqual([
      { value: 'verify', text: "checks every line of a session's log and names damaged ones" },
    ])
    expect(described('sessions', 'unpin')).toEqual([
      { value: 'unpin', text: 'keeps a message of yours or an answer when the conversation is summarised' },
    ])
    expect(described('-p', '--timeout')).toEqual([{ value: '--timeout', text: 'stop after S seconds (exit code 124)' }])
  })

  it('knows the built-in tools', () => {
    expect(toolNames).toEqual(builtInTools().map(({ name }) => name))
  })
})

/** Every command and action with its words. */
function everyCommand(): [string[], CommandSyntax][] {
  const collect = (words: string[], syntax: CommandSyntax): [string[], CommandSyntax][] => [
    [words, syntax],
    ...Object.entries(syntax.actions ?? {}).flatMap(([name, each]) => collect([...words, name], each)),
  ]
  return collect([], rootSyntax())
}

describe('the table of commands', () => {
  it.each(everyCommand())('offers only options that rxpi %j accepts', (words, { options }) => {
    for (const name of options) {
      const { type } = commandOptions[name]
      const value = type === 'boolean' ? [] : ['1']
      let message = ''
      try {
        parseCommandLine([...words, `--${name}`, ...value])
      } catch (error) {
        message = String(error)
      }
      expect(message).not.toMatch(/has no option|works with/)
    }
  })

  it.each(everyCommand())('has only options of rxpi %j that its help names', (_, { options, topic }) => {
    const named = new Set<string>(help(topic).match(/(?<=[^\w-])(?:--[a-z-]+|-[a-z]\b)/g))
    const isNamed = (name: OptionName) => {
      const option: { readonly type: string; readonly short?: string } = commandOptions[name]
      return named.has(`--${name}`) || named.has(`-${option.short}`)
    }
    expect(options.filter((name) => !isNamed(name))).toEqual([])
  })

  it('has every command of the help', () => {
    const { actions = {} } = rootSyntax()
    const named = [...help('rxpi').matchAll(/^ {2}rxpi ([a-z]+)(?: ([a-z]+))?/gm)]
    expect(named.length).toBeGreaterThan(20)
    for (const [, command = '', action] of named) {
      expect(Object.keys(actions)).toContain(command)
      const syntax = actions[command]?.actions
      if (action !== undefined && syntax !== undefined) expect(Object.keys(syntax)).toContain(action)
    }
  })
})
