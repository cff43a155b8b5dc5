// The code of a browser page: the library without Node modules, and a session on the proxy.
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
    parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } as never,
    execute: ({ a, b }: { a: number; b: number }) => Promise.resolve(core.textResult(String(a + b))),
  })
  const model = {
    id: 'scripted',
    provider: 'scripted',
    api: 'proxy',
    inputs: ['text' as const],
    reasoning: false,
  }
  const session = core.openSession({
    log: pageLog(),
    settings: () => ({
      model,
      provider: core.proxy(options),
      tools: [add],
      thinkingLevel: 'off',
      system: 'You are on a page.',
    }),
    tools: { cwd: '/', env: {} },
    options: { approve: 'auto', validatorOf: () => () => [] },
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

/** A log that stores its lines on the page. */
function pageLog(): core.SessionLog {
  const header = {
    type: 'session' as const,
    v: 1 as const,
    id: 'aaaaaaaaaaaa',
    createdAt: 0,
    cwd: '/',
    crc: '00000000',
  }
  const lines: string[] = []
  return {
    header,
    headerLine: JSON.stringify(header),
    get head() {
      return lines.length
    },
    append: (body) => {
      const line = `${body},"crc":"00000000"}`
      lines.push(line)
      return line
    },
    checkpoint: () => undefined,
    sync: () => undefined,
    durable: () => core.fromAbortable(() => Promise.resolve()),
    records: () => [],
    checkpoints: () => [],
    close: () => core.fromAbortable<never>(() => nothing()),
  }
}

async function* nothing(): AsyncGenerator<never> {}
