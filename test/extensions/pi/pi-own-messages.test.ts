// Tests where messages of a pi module stand in the requests: once, behind the entry that they follow.
import { Type } from '@sinclair/typebox'
import { filter, firstValueFrom, of } from 'rxjs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { piExtension } from '../../../lib/extensions/pi/pi-extension.ts'
import { createSession } from '../../../lib/index.ts'
import type { Session } from '../../../lib/index.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { Tool } from '../../../lib/streams/ports/tool.ts'
import { scripted, scriptedModel } from '../../../lib/testing/index.ts'

type Functions = Record<string, (...args: unknown[]) => unknown>
const hint = { customType: 'hint', content: 'HINT', display: true }

const NoteParameters = Type.Object({ n: Type.Number() })
const note: Tool<typeof NoteParameters> = {
  name: 'note',
  description: 'Notes a number',
  parameters: NoteParameters,
  execute: ({ n }) => of(textResult(`result ${n}`)),
}

function open(script: Parameters<typeof scripted>[0], module: (pi: Functions) => void) {
  const provider = scripted(script)
  const session = createSession({
    cwd: import.meta.dirname,
    model: { model: scriptedModel, provider },
    approve: 'auto',
    customTools: [note],
    extensions: [piExtension(module, { name: 'own', path: '/own.ts' })],
  })
  onTestFinished(() => firstValueFrom(session.close(), { defaultValue: undefined }))
  const request = (index: number): string[] =>
    (provider.requests[index]?.messages ?? []).map((message) => `${message.role}: ${messageText(message).slice(0, 18)}`)
  return { session, request }
}

const nextOf = (session: Session, name: string): Promise<unknown> =>
  firstValueFrom(session.events$.pipe(filter(({ type }) => type === name)), { defaultValue: undefined })

async function run(session: Session, text: string): Promise<void> {
  const settled = nextOf(session, 'agent_settled')
  session.send({ type: 'prompt', text }).subscribe()
  await settled
}

test('a message that is sent during a batch of calls stands behind it, once', async () => {
  const now = Date.now
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => Math.floor(now() / 1_000) * 1_000) // all results of one time
  onTestFinished(() => clock.mockRestore())
  const calls = [1, 2].map((n) => ({ name: 'note', arguments: { n } }))
  const { session, request } = open([{ toolCalls: calls }, 'Done.'], (pi) => {
    pi['on']?.('tool_result', (event: { input: { n: number } }) => {
      if (event.input.n === 1) pi['sendMessage']?.(hint, { triggerTurn: false })
    })
  })
  await run(session, 'Go')
  expect(request(1)).toEqual(['user: Go', 'assistant: ', 'toolResult: result 1', 'toolResult: result 2', 'user: HINT'])
})

test.each([false, true])('a message behind a command of the user is in the request (hidden: %s)', async (exclude) => {
  const { session, request } = open(['One.', 'Two.'], (pi) => {
    pi['registerCommand']?.('hint', { handler: () => pi['sendMessage']?.(hint) })
  })
  await run(session, 'First')
  const ended = nextOf(session, 'job_end')
  session.send({ type: 'user_bash', command: 'true', ...(exclude && { exclude }) }).subscribe()
  await ended
  await firstValueFrom(session.send({ type: 'prompt', text: '/hint' }), { defaultValue: undefined })
  await run(session, 'Second')
  expect(request(1)).toEqual([
    'user: First',
    'assistant: One.',
    ...(exclude ? [] : ['user: I ran this command']),
    'user: HINT',
    'user: Second',
  ])
})
