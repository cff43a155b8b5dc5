// Checks the events of pi about what a person does: shell commands, other sessions, other entries.
import { EMPTY, firstValueFrom, lastValueFrom } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import { createSession, memoryStore } from '../../../lib/index.ts'
import type { Session } from '../../../lib/index.ts'
import { scripted, scriptedModel } from '../../../lib/testing/index.ts'
import { piExtension } from '../../../lib/extensions/pi/pi-extension.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'

type On = (type: string, handler: (event: never) => unknown) => void

const opened: Session[] = []
afterEach(() => {
  for (const session of opened.splice(0)) session.close().subscribe()
})

/** A session after one run, with a module that registers handlers. */
async function open(register: (on: On) => void) {
  const session = createSession({
    cwd: import.meta.dirname,
    model: { model: scriptedModel, provider: scripted([{ text: 'One.' }, { text: 'Two.' }]) },
    approve: 'auto',
    store: memoryStore(),
    extensions: [piExtension((pi: { on: On }) => register(pi.on), { name: 'own', path: '/own.ts' })],
  })
  opened.push(session)
  const events: AgentEvent[] = []
  session.events$.subscribe((event) => events.push(event))
  await lastValueFrom(session.run('Hello'), { defaultValue: undefined })
  const [prompt = '', answer = ''] = session.state$.value.entries.keys()
  return { session, events, prompt, answer }
}

async function refusal(session: Session, command: Parameters<Session['send']>[0]): Promise<string | undefined> {
  return firstValueFrom(session.send(command as never), { defaultValue: undefined }).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
}

test('handlers see a fork and a switch, and may cancel them', async () => {
  const calls: unknown[] = []
  const { session, prompt } = await open((on) => {
    for (const type of ['session_before_fork', 'session_before_switch'])
      on(type, (event) => {
        calls.push(event)
        return { cancel: true }
      })
  })
  const cancelled = /the extension \/own\.ts cancelled it/
  expect(await refusal(session, { type: 'branch_session', entryId: prompt, newFile: true })).toMatch(cancelled)
  for (const to of ['new', 'open'] as const)
    await expect(
      firstValueFrom(session.checkLeave?.({ type: 'switch', to }) ?? EMPTY, { defaultValue: undefined }),
    ).rejects.toThrow(cancelled)
  expect(calls).toEqual([
    { type: 'session_before_fork', entryId: prompt, position: 'at' },
    { type: 'session_before_switch', reason: 'new' },
    { type: 'session_before_switch', reason: 'resume' },
  ])
})

test('a handler sees where the conversation goes, and gives the summary of what is left', async () => {
  const calls: { preparation: { entriesToSummarize: { id: string }[] } }[] = []
  const { session, events, prompt, answer } = await open((on) => {
    on('session_before_tree', (event) => {
      calls.push(event)
      return { summary: { summary: 'One was said.' } }
    })
  })
  const command = { type: 'branch_session', entryId: prompt, summarise: true } as const
  expect(await refusal(session, command)).toBe(undefined)
  expect(calls).toMatchObject([
    { preparation: { targetId: prompt, oldLeafId: answer, commonAncestorId: prompt, userWantsSummary: true } },
  ])
  expect(calls[0]?.preparation.entriesToSummarize.map(({ id }) => id)).toEqual([answer])
  expect(events.find(({ type }) => type === 'branch_summary')).toMatchObject({ summary: 'One was said.' })
})

test.each([
  [
    'its operations run the command',
    {
      operations: {
        exec: async (command: string, cwd: string, { onData }: { onData: (data: Buffer) => void }) => {
          onData(Buffer.from(`${command} in ${cwd === import.meta.dirname ? 'the folder' : cwd}`))
          return Promise.resolve({ exitCode: 4 })
        },
      },
    },
    { exitCode: 4, output: 'go in the folder' },
  ],
  ['its result stands', { result: { output: 'done', exitCode: 0 } }, { exitCode: 0, output: 'done' }],
  [
    'its operations fail',
    { operations: { exec: () => Promise.reject(new Error('no line')) } },
    { exitCode: null, output: 'no line' },
  ],
])('a handler of user_bash takes a command over: %s', async (_name, answer, { exitCode, output }) => {
  const { session, events } = await open((on) => on('user_bash', () => answer))
  await firstValueFrom(session.send({ type: 'user_bash', command: 'go' }), { defaultValue: undefined })
  await vi.waitFor(() => expect(events.find(({ type }) => type === 'job_end')).toMatchObject({ exitCode }), {
    timeout: 10_000,
  })
  expect(events.flatMap((event) => (event.type === 'job_update' ? [event.content] : [])).join('')).toBe(output)
})

test('an answer of user_bash that cannot run the command refuses it', async () => {
  const { session, events } = await open((on) => on('user_bash', () => ({ operations: {} })))
  expect(await refusal(session, { type: 'user_bash', command: 'go' })).toMatch(/neither a result nor operations/)
  expect(events.some(({ type }) => type === 'job_start')).toBe(false)
})
