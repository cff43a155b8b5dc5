// Tests that the worked example of docs/providers.md runs against a server of that shape.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageExamples } from '../support/page-examples.ts'
import type { PageExamples } from '../support/page-examples.ts'
import { rawSseServer } from '../support/raw-sse-server.ts'

let shown: PageExamples
beforeAll(() => {
  shown = pageExamples('docs/providers.md')
})
afterAll(() => {
  shown[Symbol.dispose]()
})

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const usage = { prompt_tokens: 12, completion_tokens: 5 }
const body = [event({ response: 'In Donau' }), event({ response: 'eschingen.' }), event({ response: '', usage })]

describe('docs/providers.md', () => {
  it('declares a provider in at most 40 lines', () => {
    const [, declaration = ''] = /^registerProvider\(\{\n(.*?)^\}\)$/ms.exec(shown.examples[0] ?? '') ?? []
    const lines = declaration.split('\n').length + 1
    expect(lines).toBeGreaterThan(10)
    expect(lines).toBeLessThanOrEqual(40)
  })

  it('has an example that runs unchanged', async () => {
    await using server = await rawSseServer({ body: [...body, 'data: [DONE]\n\n'] })
    const [example = ''] = shown.examples
    const printed = `${example}\nif (text !== 'In Donaueschingen.') throw new Error(text)\n`
    const env = { WORKERS_AI_URL: `${server.url}/run`, WORKERS_AI_TOKEN: 'token-1' }
    expect(await shown.run(printed, env)).toBe('ran')
    const request = await server.request(0)
    expect(request.path).toBe('/run/@cf/meta/llama-3.3-70b-instruct-fp8-fast')
    expect(request.headers.authorization).toBe('Bearer token-1')
    expect(request.json()).toMatchObject({
      stream: true,
      max_tokens: 4096,
      messages: [{ role: 'system' }, { role: 'user', content: 'Where does the Danube begin?' }],
    })
  }, 60_000) // a type check of its own

  it('describes an answer without streaming correctly', async () => {
    const answer = JSON.stringify({ result: { response: 'In Donaueschingen.' }, success: true, errors: [] })
    await using server = await rawSseServer({ headers: { 'content-type': 'application/json' }, body: [answer] })
    const printed = `${shown.examples[0] ?? ''}\nif (text !== 'In Donaueschingen.') throw new Error(text)\n`
    expect(await shown.run(printed, { WORKERS_AI_URL: server.url, WORKERS_AI_TOKEN: 'token-1' })).toBe('ran')
  })
})
