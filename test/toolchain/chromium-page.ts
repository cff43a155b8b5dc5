// The script of a real page: a session in memory with a checked tool, and a client on lines of the page.
import { Type } from '@sinclair/typebox'
import { Subject, firstValueFrom, lastValueFrom, map, takeWhile } from 'rxjs'
import { z } from 'zod'
import { connectOnce, lineTransport } from '../../lib/client.ts'
import {
  defineTool,
  memoryLog,
  messageText,
  openSession,
  textResult,
  toolValidator,
  transcript,
} from '../../lib/core.ts'
import { scripted, scriptedModel } from '../../lib/providers/offline/scripted.ts'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number().default(1) }),
  execute: ({ a, b }) => Promise.resolve(textResult(String(a + b))),
})
const upper = defineTool({
  name: 'upper',
  description: 'Makes a text upper case.',
  parameters: Type.Object({ text: Type.String({ minLength: 2 }) }),
  execute: ({ text }) => Promise.resolve(textResult(text.toUpperCase())),
})

async function runSession(): Promise<string[]> {
  const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
  const provider = scripted([
    call('add', { a: 2 }),
    call('upper', { text: 'x' }),
    call('upper', { text: 'xy' }),
    'Done.',
  ])
  const session = openSession({
    log: memoryLog({ createdAt: Date.now() }),
    settings: () => ({ model: scriptedModel, provider, tools: [add, upper], thinkingLevel: 'off', system: '' }),
    tools: { cwd: '/', env: {} },
    options: { approve: 'auto', validatorOf: toolValidator },
  })
  const settled = lastValueFrom(session.events$.pipe(takeWhile(({ type }) => type !== 'agent_settled', true)), {
    defaultValue: undefined,
  })
  void session.send({ type: 'prompt', text: 'Go on.' })
  await settled
  const texts = transcript(session.state$.value).map(messageText)
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return texts
}

/** A client over a channel of this page; resolves to the name of the server that greets it. */
async function greet(): Promise<string> {
  const toClient$ = new Subject<string>()
  const transport = lineTransport({ lines$: toClient$, send: () => undefined })
  const client = connectOnce(transport)
  const name = firstValueFrom(client.hello$.pipe(map(({ server }) => server.name)), { defaultValue: 'none' })
  const server = { name: 'of the page', version: '0', pid: 1, epoch: 'a' }
  const protocol = { min: 1, max: 1 }
  toClient$.next(
    JSON.stringify({ v: 1, type: 'hello', server, protocol, limits: { lineBytes: 1e6 }, capabilities: [] }),
  )
  const greeted = await name
  transport.close()
  return greeted
}

const { document, navigator } = globalThis as unknown as {
  readonly document: { title: string }
  readonly navigator: { readonly userAgent: string }
}
try {
  const outcome = { texts: await runSession(), server: await greet(), isChrome: navigator.userAgent.includes('Chrome') }
  document.title = JSON.stringify(outcome)
} catch (error) {
  document.title = error instanceof Error ? (error.stack ?? error.message) : String(error)
}
