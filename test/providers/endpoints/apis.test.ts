// Tests that each API loads its SDK with the first request, and no other SDK.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { withCompileCache } from '../../support/compile-cache.ts'
import { sampleRows } from '../../support/sample-size.ts'

const sdks = ['openai', '@anthropic-ai/sdk', '@google/genai', 'aws4fetch', '@smithy/core/event-streams']
const index = new URL('../../../lib/providers/index.ts', import.meta.url).href

const apis: [string, ...string[]][] = [
  ['openAiCompletions', 'openai'],
  ['anthropicMessages', '@anthropic-ai/sdk'],
  ['bedrockConverseStream', 'aws4fetch', '@smithy/core/event-streams'],
  ['googleGenerativeAi', '@google/genai'],
  ['openAiResponses', 'openai'],
  ['mistralConversations'],
]

it.each(sampleRows(apis, 3))('%s loads only its own packages, with the first request', (name, ...own) => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ resolve: (specifier, context, next) => { loaded.add(specifier); return next(specifier, context) } })
    const { ${name} } = await import(${JSON.stringify(index)})
    const before = [...loaded]
    const provider = ${name}({ provider: 'p', baseUrl: 'http://127.0.0.1:1' })
    const model = { id: 'm', provider: 'p', api: 'a', inputs: [], reasoning: false }
    provider({ model, system: '', messages: [], tools: [], thinkingLevel: 'off' }).subscribe({
      error: () => console.log(JSON.stringify({ before, after: [...loaded] })),
    })`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: withCompileCache(),
  })
  expect(stderr).toBe('')
  const { before, after } = JSON.parse(stdout) as { before: string[]; after: string[] }
  const heavy = [...sdks, 'ajv']
  expect(before.filter((specifier) => heavy.includes(specifier))).toEqual([])
  expect(after.filter((specifier) => heavy.includes(specifier))).toEqual(own)
})
