// The script of a real page: a stored session with checked tools that is opened again, and a client on lines of the page.
import { Type } from '@sinclair/typebox'
import { Subject, firstValueFrom, lastValueFrom, map } from 'rxjs'
import { z } from 'zod'
import { connectOnce, lineTransport } from '../../lib/client.ts'
import {
  defineTool,
  memoryStore,
  messageText,
  openSession,
  textResult,
  toolValidator,
  transcript,
  writeAhead,
} from '../../lib/core.ts'
import type { SessionLog, ScriptedAnswer } from '../../lib/core.ts'
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

/** What the page saves of each session: its lines, the header first. */
type Saved = Map<string, string[]>
const saved: Saved = new Map()

/** Saves later, as IndexedDB does. */
async function save(id: string, line: string, seq: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0))
  saved.set(id, [...(saved.get(id) ?? []).slice(0, seq), line])
}

/** Runs one prompt on this log; resolves to the texts of the conversation. */
async function runPrompt(log: SessionLog, prompt: string, script: readonly ScriptedAnswer[]): Promise<string[]> {
  const { id } = log.header
  if (log.head === 0) await save(id, log.headerLine, 0)
  const provider = scripted(script)
  const session = openSession({
    log,
    writer: writeAhead(log, (line, seq) => save(id, line, seq)),
    settings: () => ({ model: scriptedModel, provider, tools: [add, upper], thinkingLevel: 'off', system: '' }),
    tools: { cwd: '/', env: {} },
    options: { approve: 'auto', validatorOf: toolValidator },
  })
  await lastValueFrom(session.run(prompt), { defaultValue: undefined })
  const texts = transcript(session.state$.value).map(messageText)
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return texts
}

/** Two sessions of one store; the first is opened again in another store from what was saved. */
async function runSessions(): Promise<{ first: string[]; again: string[]; latest: string | undefined }> {
  const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
  const store = memoryStore()
  const log = store.create({ id: 'aaaaaaaaaaaa', createdAt: Date.now(), cwd: '/page' })
  const script = [call('add', { a: 2 }), call('upper', { text: 'x' }), call('upper', { text: 'xy' }), { text: 'Done.' }]
  const first = await runPrompt(log, 'Go on.', script)
  await runPrompt(store.create({ id: 'bbbbbbbbbbbb', createdAt: Date.now(), cwd: '/page' }), 'Hi', [{ text: 'Hello' }])
  const latest = store.latest('/page')
  const { log: opened } = memoryStore(saved.values()).open('aaaaaaaaaaaa')
  const again = await runPrompt(opened, 'And now?', [{ text: 'Again.' }])
  return { first, again: again.slice(-3), latest }
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
  const isChrome = navigator.userAgent.includes('Chrome')
  document.title = JSON.stringify({ ...(await runSessions()), server: await greet(), isChrome })
} catch (error) {
  document.title = error instanceof Error ? (error.stack ?? error.message) : String(error)
}
