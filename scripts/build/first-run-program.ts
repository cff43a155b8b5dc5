// Runs one prompt on a fresh bundle, so that the build sees which functions it calls.
// Arguments: `library` or `command`, and the bundle's folder.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { filter, firstValueFrom, from, lastValueFrom } from 'rxjs'
import type { AssistantDelta } from '../../lib/streams/messages/delta.ts'
import type { ProviderModel } from '../../lib/streams/ports/provider.ts'

const nothing = { defaultValue: undefined }
const [which, folder = ''] = process.argv.slice(2)
await (which === 'command' ? commandRun() : libraryRun())

/** One prompt, which calls a tool, of the command's own demo model. */
async function commandRun(): Promise<void> {
  const { main } = (await load('main.js')) as typeof import('../../app/main.ts')
  await main(['-p', 'read README.md', '--no-stdin', '--model', 'demo/guide'])
}

/** One prompt, which calls a tool, in a session with a log on disk. */
async function libraryRun(): Promise<void> {
  const { createSession } = (await load('index.js')) as typeof import('../../lib/index.ts')
  const { fileStore } = (await load('store.js')) as typeof import('../../lib/store/index.ts')
  const session = createSession({ model: readingModel(), store: fileStore({ home: process.cwd() }), approve: 'auto' })
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), nothing)
  session.events$.subscribe() // with a second subscriber, the code for several subscribers runs too
  await firstValueFrom(session.send({ type: 'prompt', text: 'Go on.' }), nothing)
  await settled
  await lastValueFrom(session.close(), nothing)
}

/** A model that reads a missing file and then answers that it is missing. */
function readingModel(): ProviderModel {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: 'unknown' } as const
  const call: AssistantDelta[] = [
    { type: 'start' },
    { type: 'toolcall_start', contentIndex: 0, id: 'call_1', name: 'read' },
    { type: 'toolcall_delta', contentIndex: 0, text: '{"path":' },
    { type: 'toolcall_delta', contentIndex: 0, text: '"README.md"}' },
    { type: 'toolcall_end', contentIndex: 0, arguments: { path: 'README.md' } },
    { type: 'done', stopReason: 'toolUse', usage },
  ]
  const text: AssistantDelta[] = [
    { type: 'start' },
    { type: 'text_start', contentIndex: 0 },
    { type: 'text_delta', contentIndex: 0, text: 'It is ' },
    { type: 'text_delta', contentIndex: 0, text: 'not there.' },
    { type: 'text_end', contentIndex: 0 },
    { type: 'done', stopReason: 'stop', usage },
  ]
  return {
    model: { id: 'reader', provider: 'build', api: 'build', inputs: ['text'], reasoning: false },
    provider: ({ messages }) => from(messages.at(-1)?.role === 'toolResult' ? text : call),
  }
}

function load(module: string): Promise<unknown> {
  return import(pathToFileURL(path.join(folder, module)).href)
}
