// Tests `rxpi config`: requests, output and exit codes.
import { firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'
import { config } from '../../../app/commands/config.ts'
import type { FakeCommands } from '../../support/fake-backend.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeWorld } from '../../support/fake-world.ts'

const file = '/home/ada/.config/rxpi/settings.json'

async function begin(words: string[], commands: FakeCommands = {}) {
  const invocation = parseCommandLine(['config', ...words])
  if (invocation.mode !== 'config') throw new Error(`not config: ${words.join(' ')}`)
  const { world, stdout, stderr } = fakeWorld({ commands })
  const code = await firstValueFrom(config(invocation, world), { defaultValue: -1 })
  return { code, out: stdout.written, err: stderr.written }
}

describe('rxpi config', () => {
  it('lists every setting, and the type of each one that is not set [CLI-config]', async () => {
    const settings = [
      { key: 'model', takes: 'a text', value: 'a/b', from: 'file' as const },
      {
        key: 'limits.turns',
        takes: 'a whole number',
        value: 5,
        from: 'environment' as const,
        variable: 'RXPI_MAX_TURNS',
      },
      { key: 'tools', takes: 'names, with commas between', value: ['read'], from: 'file' as const },
      { key: 'steering', takes: 'wait, interrupt', default: 'wait' },
    ]
    const { code, out } = await begin(['list'], { configList: () => of({ file, settings }) })
    expect([code, out]).toEqual([
      0,
      `model = a/b  (${file})\nlimits.turns = 5  (RXPI_MAX_TURNS)\ntools = ["read"]  (${file})\n# steering = wait  (default; wait, interrupt)\n`,
    ])
  })

  it('names project, variable and option as the sources of values [CLI-config]', async () => {
    const settings = [
      { key: 'limits.usd', takes: 'a number', value: 2, from: 'project' as const, default: 0 },
      { key: 'approve', takes: 'ask', value: 'writes', from: 'file' as const },
      { key: 'thinkingLevel', takes: 'off, low' },
    ]
    const options: unknown[] = []
    const list = () =>
      begin(['list', '--approve', 'auto', '--thinking', 'low', '--trust'], {
        configList: (command) => {
          options.push(command.trust)
          return of({ file, settings, project: '/p/.rxpi/settings.json', warnings: ['the project cannot set approve'] })
        },
      })
    const { out, err } = await list()
    expect(out).toBe('limits.usd = 2  (/p/.rxpi/settings.json)\napprove = auto  (--approve)\nthinkingLevel = low  (--thinking)\n') // prettier-ignore
    expect(err).toContain('the project cannot set approve')
    expect(options).toEqual([true])
  })

  it('get prints one setting, and returns exit code 1 if it is not set', async () => {
    const setting = { key: 'model', takes: 'a text', value: 'a/b' }
    const found = await begin(['get', 'model'], { configGet: () => of({ file, setting }) })
    expect([found.code, found.out]).toEqual([0, 'a/b\n'])
    expect((await begin(['get', 'model'])).code).toBe(1)
  })

  it.each([
    ['ollama/qwen3', 'ollama/qwen3'],
    ['2.5', 2.5],
    ['true', true],
    ['["read"]', ['read']],
    ['3rd/model', '3rd/model'],
  ])('parses %j as %j [CLI-config]', async (text, value) => {
    const options: unknown[] = []
    const commands: FakeCommands = {
      configSet: (command) => {
        options.push(command.value)
        return of({ file, setting: { key: command.key, takes: '' } })
      },
    }
    await begin(['set', 'model', text], commands)
    await begin(['unset', 'model'], commands)
    expect(options).toEqual([value, null])
  })

  it('warns if an environment variable overrides the written value [CLI-config]', async () => {
    const setting = {
      key: 'model',
      takes: 'a text',
      value: 'c/d',
      from: 'environment' as const,
      variable: 'RXPI_MODEL',
    }
    const { err } = await begin(['set', 'model', 'a/b'], { configSet: () => of({ file, setting }) })
    expect(err).toContain('RXPI_MODEL overrides the value that was written')
  })

  it.each([
    [[], /config needs list, get, set or unset/],
    [['get'], /needs a key/],
    [['set', 'model'], /needs a key and a value/],
    [['set', 'model', 'a', 'b'], /put a value with spaces in quotes/],
    [['list', 'model'], /config get model/],
    [['set', 'model', 'a/b', '--model', 'x'], /no option --model/],
    [['list', '--timeout', '3'], /no option --timeout/],
    [['list', '--approve', 'never'], /--approve must be/],
  ])('rejects %j', (words, reason) => {
    expect(() => parseCommandLine(['config', ...words])).toThrow(reason)
    expect(() => parseCommandLine(['config', ...words])).toThrow(Failure)
  })
})
