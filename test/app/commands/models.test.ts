// Tests the output of `rxpi models`.
import { firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'
import { models } from '../../../app/commands/models.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ListedModel } from '../../../lib/streams/commands/model-commands.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { fakeWorld } from '../../support/fake-world.ts'
import type { FakeWorld, FakeWorldOptions } from '../../support/fake-world.ts'

const model = (fields: Partial<Model>): Model => ({
  ...{ id: 'm', provider: 'p', api: 'a', inputs: ['text'], reasoning: false },
  ...fields,
})
const large: ListedModel = {
  model: model({
    ...{ id: 'large', contextWindow: 1_048_576, maxOutput: 65_536, inputs: ['text', 'image'], reasoning: true },
    prices: { input: 2.5, output: 15, tiers: [{ inputTokensAbove: 200_000, input: 5, output: 20 }] },
  }),
  usable: true,
  served: false,
}
const here: ListedModel = {
  model: model({ id: 'a-model-of-my-own', contextWindow: 8192, prices: { input: 0, output: 0 } }),
  usable: true,
  served: true,
}
const unknown: ListedModel = { model: model({ id: 'bare\u001b[2J' }), usable: false, served: false }

async function begin(words: readonly string[], options: FakeWorldOptions = {}): Promise<FakeWorld & { code: number }> {
  const invocation = parseCommandLine(['models', ...words])
  if (invocation.mode !== 'models') throw new Error(`not models: ${words.join(' ')}`)
  const own = fakeWorld(options)
  const code = await firstValueFrom(models(invocation, own.world), { defaultValue: -1 })
  return { ...own, code }
}

describe('rxpi models', () => {
  it('requests all models or those that match the search, with folder and environment [CLI-models]', async () => {
    const { host } = await begin([])
    expect(host.requests).toEqual([{ listModels: { cwd: process.cwd(), env: { HOME: '/home/me' } } }])
    expect((await begin(['sonnet', '5.5'])).host.requests).toMatchObject([{ listModels: { search: 'sonnet 5.5' } }])
  })

  it('prints one line per model, in columns', async () => {
    const { code, stdout, stderr } = await begin([], { models: [large, here, unknown] })
    expect(code).toBe(0)
    expect(stdout.written).toBe(
      '● p/large              1M/66k  $2.5/$15+  thinks sees\n◆ p/a-model-of-my-own  8k      free\n  p/bare\u001b[2J\n',
    )
    expect(stderr.written).toBe(
      'rxpi: 3 models, 2 available; windows, levels and prices as of 2026-01-02 (a-catalogue 1.0.0)\n',
    )
  })

  it('names the roles below the whole list, and not below a search [CONFIG-roles]', async () => {
    const roles = [
      { role: 'smol', model: 'p/small', thinkingLevel: 'low' as const, fallbacks: ['p/other'], setting: 'models.smol' },
    ]
    const listed = { models: [large], roles }
    expect((await begin([], listed)).stderr.written).toMatch(
      /^rxpi: @smol is p\/small:low, else p\/other \(models\.smol\)\n/,
    )
    expect((await begin(['large'], listed)).stderr.written).not.toContain('@smol')
  })

  it('prints two lines per model on a narrow terminal, with complete, escaped names [S19a]', async () => {
    const options = { models: [large, here, unknown], terminals: ['stdout'], columns: 40 } as const
    expect((await begin([], options)).stdout.written).toBe(
      '● p/large\n    1M/66k  $2.5/$15+  thinks sees\n◆ p/a-model-of-my-own\n    8k  free\n  p/bare␛[2J\n',
    )
    expect((await begin([], { ...options, columns: 80 })).stdout.written).toContain('● p/large              1M/66k')
  })

  it('names the local endpoints, and the problem of a single failed one', async () => {
    const baseUrl = 'http://localhost:1/v1'
    const answered = [{ provider: 'ollama', baseUrl }]
    expect((await begin([], { models: [here], endpoints: answered })).stderr.written).toContain('; local: ollama;')
    const silent = [{ provider: 'ollama', baseUrl, problem: 'nobody answers there' }]
    const { code, stderr } = await begin(['ollama'], { endpoints: silent })
    expect(code).toBe(1)
    expect(stderr.written).toContain('0 models for "ollama", 0 available; at http://localhost:1/v1 nobody answers')
  })

  it('prints only one JSON document with --json [CLI-document]', async () => {
    const { stdout, stderr } = await begin(['--json'], { models: [large] })
    expect(JSON.parse(stdout.written)).toMatchObject({ models: [large], total: 1, endpoints: [] })
    expect(stderr.written).toBe('')
  })

  it.each([
    [['--model', 'a/b'], 'has no option --model'],
    [['--tools', 'a'], 'has no option --tools'],
  ])('rejects %j', (words, says) => {
    expect(() => parseCommandLine(['models', ...words])).toThrow(says)
  })
})

describe('rxpi models update', () => {
  const source = { name: 'a-package', version: '1.6.0', date: '2026-12-01', licence: 'MIT', at: 1_796_000_000_000 }
  const latest = { version: '1.6.0', date: '2026-12-01' }
  const run = (words: readonly string[], result: ResultOf<'update_models'>) => {
    const requests: unknown[] = []
    const update$ = (command: unknown) => {
      requests.push(command)
      return of(result)
    }
    return begin(['update', ...words], { commands: { updateModels: update$ } }).then((own) => ({ ...own, requests }))
  }

  it('fetches newer data, and names day, origin and what stays [CLI-models]', async () => {
    const result = { source, latest, newer: true, changed: true, models: 7, unlisted: ['groq'], leftOut: ['meta/m'] }
    const { code, stdout, stderr, requests } = await run([], result)
    expect([code, requests]).toEqual([0, [{ cwd: process.cwd(), env: { HOME: '/home/me' } }]])
    expect(stdout.written).toBe('models as of 2026-12-01 (a-package 1.6.0, fetched on 2026-11-30): 7 models\n')
    expect(stderr.written).toBe(
      'rxpi: the package lists no models of groq: the lists of rxpi stay\nrxpi: left out, as their API is another: meta/m\n',
    )
    expect(JSON.parse((await run(['--json'], result)).stdout.written)).toEqual(result)
  })

  it.each([
    [['--check'], { newer: true, changed: false, latest }, 'there is newer data: 1.6.0 of 2026-12-01; in use'],
    [[], { newer: false, changed: false, latest }, 'nothing newer: models as of 2026-12-01'],
    [['--reset'], { newer: false, changed: true }, 'the data of rxpi is used again: 2026-12-01'],
    [['--reset'], { newer: false, changed: false }, 'the data of rxpi is used: 2026-12-01'],
  ])('%j reports what is used', async (words, result, text) => {
    const { stdout, requests } = await run(words, { source, ...result })
    expect(stdout.written).toContain(text)
    expect(requests).toMatchObject([Object.fromEntries(words.map((word) => [word.slice(2), true]))])
  })

  it.each([
    [['update', 'x'], /unexpected argument "x"/],
    [['update', '--check', '--reset'], /exclude each other/],
    [['update', '--limit', '3'], /no option --limit/],
    [['sonnet', '--check'], /no option --check/],
  ])('refuses %j', (words, message) => {
    expect(() => parseCommandLine(['models', ...words])).toThrow(message)
  })
})
