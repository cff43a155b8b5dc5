// Tests the library's part without Node modules: bundled for a browser and run without Node.
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import { pageBundle } from '../../scripts/build/bundles.ts'
import { scripted } from '../../lib/providers/offline/scripted.ts'
import { startProxy, token } from '../server/proxy/start-proxy.ts'
import type { PageOptions } from './browser-page.ts'

let code = ''
const warnings: string[] = []

beforeAll(async () => {
  const bundle = await rolldown({
    input: 'test/toolchain/browser-page.ts',
    platform: 'browser',
    onLog: (_, { message }) => {
      warnings.push(message)
    },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'page', exports: 'named' })
  await bundle.close()
  expect(output.map((file) => file.type)).toEqual(['chunk'])
  const [chunk] = output
  expect([chunk.imports, chunk.dynamicImports]).toEqual([[], []])
  ;({ code } = chunk)
}, 60_000)

/** The globals of every browser, and no others. */
const browserGlobals = {
  ...{
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    queueMicrotask,
    structuredClone,
    console,
    performance,
    crypto,
  },
  ...{ AbortController, AbortSignal, TextEncoder, TextDecoder, URL, Headers, Request, Response },
}

interface Page {
  readonly everything: Readonly<Record<'client' | 'core' | 'operators', Readonly<Record<string, unknown>>>>
  runPrompt(options: PageOptions): Promise<{ readonly types: string[]; readonly text: string }>
}

const opened = (): Page => runInNewContext(`${code}\n;page`, { ...browserGlobals }) as Page

describe('rxpi/core, rxpi/operators, rxpi/client and the proxy in a browser', () => {
  it('are bundled without a warning', () => {
    expect(warnings).toEqual([])
    expect(/["']node:[a-z/]+["']/.exec(code)).toBeNull()
  })

  it('are small for a page with a client only: no schema and no validator', async () => {
    const { input, output } = pageBundle(process.cwd(), 'never-written')
    const bundle = await rolldown(input)
    const made = await bundle.generate(output)
    await bundle.close()
    const { code: client, moduleIds, isEntry } = made.output[0]
    expect([made.output.length, isEntry]).toEqual([1, true])
    expect(client.length).toBeLessThan(60_000)
    expect(moduleIds.filter((id) => /generated|typebox|ajv/.test(id))).toEqual([])
  })

  it('load without Node', () => {
    const { client, core, operators } = opened().everything
    for (const exported of [client['connect'], core['openSession'], core['proxy'], operators['keepRecent']]) {
      expect(typeof exported).toBe('function')
    }
  })

  it('run a session with tools on the real endpoint of the proxy', async () => {
    const provider = scripted([
      { text: 'I add.', toolCalls: [{ name: 'add', arguments: { a: 2, b: 3 } }] },
      ({ messages }: { readonly messages: readonly { readonly content: unknown }[] }) => ({
        text: `It is ${JSON.stringify(messages.at(-1)?.content)}`,
      }),
    ])
    await using endpoint = await startProxy(provider)
    const { types, text } = await opened().runPrompt({ url: endpoint.url, token, fetch })
    expect(text).toBe('It is [{"type":"text","text":"5"}]')
    expect(types.filter((type) => /^(agent|turn|tool)/.test(type))).toEqual([
      'agent_start',
      'turn_start',
      'tool_execution_start',
      'tool_execution_end',
      'turn_end',
      'turn_start',
      'turn_end',
      'agent_end',
      'agent_settled',
    ])
  })
})
