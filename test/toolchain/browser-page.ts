// The code of a browser page: the library without Node modules, and a session on the proxy.
import { Type } from '@sinclair/typebox'
import { filter, lastValueFrom, takeWhile, toArray } from 'rxjs'
import * as client from '../../lib/client.ts'
import * as core from '../../lib/core.ts'
import * as operators from '../../lib/operators/index.ts'

/** Bundled whole, without tree shaking. */
export const everything = { client, core, operators }

export interface PageOptions {
  readonly url: string
  readonly token: string
  readonly fetch: typeof globalThis.fetch
}

/** Runs one prompt with a tool of the page; resolves with the names of its events and the last text. */
export async function runPrompt(options: PageOptions): Promise<{ readonly types: string[]; readonly text: string }> {
  const add = core.defineTool({
    name: 'add',
    description: 'Adds two numbers',
    parameters: Type.Object({ a: Type.Number(), b: Type.Number() }),
    execute: ({ a, b }) => Promise.resolve(core.textResult(String(a + b))),
  })
  const model = {
    id: 'scripted',
    provider: 'scripted',
    api: 'proxy',
    inputs: ['text' as const],
    reasoning: false,
  }
  const session = core.openSession({
    log: core.memoryStore().create({ id: 'aaaaaaaaaaaa', createdAt: 0, cwd: '/' }),
    settings: () => ({
      model,
      provider: core.proxy(options),
      tools: [add],
      thinkingLevel: 'off',
      system: 'You are on a page.',
    }),
    tools: { cwd: '/', env: {} },
    options: { approve: 'auto', validatorOf: core.toolValidator },
  })
  const events$ = session.events$.pipe(takeWhile(({ type }) => type !== 'agent_settled', true))
  const runEvents = lastValueFrom(
    events$.pipe(
      filter(({ type }) => type !== 'message_update'),
      toArray(),
    ),
    { defaultValue: [] },
  )
  void session.send({ type: 'prompt', text: 'What is 2 + 3?' })
  const events = await runEvents
  const last = events.flatMap((event) => (event.type === 'message_end' ? [event.message] : [])).at(-1)
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return { types: events.map(({ type }) => type), text: last === undefined ? '' : core.messageText(last) }
}
