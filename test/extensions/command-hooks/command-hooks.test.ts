// Tests hook commands in a session: real commands, a scripted model.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, filter, firstValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandHooks } from '../../../lib/extensions/index.ts'
import { createSession } from '../../../lib/index.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { CommandHooks } from '../../../lib/streams/config/hook-settings.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'rxpi-hooks-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const one = (command: string, matcher?: string) => [
  { hooks: [{ type: 'command' as const, command }], ...(matcher === undefined ? {} : { matcher }) },
]
const readEvent = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Record<string, unknown>

interface Played {
  readonly session: Session
  readonly events: readonly AgentEvent[]
  readonly requests: readonly string[][]
}

/** One prompt in a session with these hooks. */
async function play(hooks: CommandHooks, script: Parameters<typeof scripted>[0], more: CreateSessionOptions = {}) {
  const provider = scripted(script)
  const events: AgentEvent[] = []
  const session = createSession({
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    model: { model: scriptedModel, provider },
    settings: { hooks },
    approve: 'auto',
    onEvent: (event) => events.push(event),
    ...more,
  })
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
    defaultValue: undefined,
  })
  const sent = await resultOf(session.send({ type: 'prompt', text: 'Go' })).catch((error: unknown) => error)
  if (!(sent instanceof Error)) await settled
  await resultOf(session.close()).catch(() => undefined)
  const requests = provider.requests.map(({ messages }) => messages.map(messageText))
  return { session, events, requests, sent }
}
const results = ({ events }: Pick<Played, 'events'>): string[] =>
  events.flatMap((event) =>
    event.type === 'message_end' && event.message.role === 'toolResult' ? [messageText(event.message)] : [],
  )
const bash = (command: string) => [{ toolCalls: [{ name: 'bash', arguments: { command } }] }, 'done']

describe('PreToolUse', () => {
  it('gets the call in the names of scripts, and refuses it', async () => {
    const check = `cat > call.json; echo 'not on Fridays' >&2; exit 2`
    const played = await play({ PreToolUse: one(check, 'Bash') }, bash('touch made'))
    expect(results(played)).toEqual(['not on Fridays'])
    expect(readEvent('call.json')).toMatchObject({
      session_id: played.session.id,
      cwd: folder,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'touch made' },
    })
    expect(() => readFileSync(path.join(folder, 'made'))).toThrow()
  })

  it('changes the arguments, and reads /dev/stdin', async () => {
    const change = `cat /dev/stdin > in.json; echo '{"hookSpecificOutput":{"updatedInput":{"command":"echo changed"}}}'`
    expect(results(await play({ PreToolUse: one(change) }, bash('echo as sent')))).toEqual(['changed\n'])
    expect(readEvent('in.json')).toMatchObject({ tool_name: 'Bash' })
  })

  it('is not asked about tools that its matcher does not mean, and runs each command once', async () => {
    const count = 'echo x >> count'
    const hooks = { PreToolUse: [...one('exit 2', 'Write|Edit'), ...one(count), ...one(count, 'bash')] }
    const played = await play(hooks, bash('echo ran'))
    expect(results(played)).toEqual(['ran\n'])
    expect(readFileSync(path.join(folder, 'count'), 'utf8')).toBe('x\n')
  })

  it('refuses the call if its command is not there or takes too long', async () => {
    const missing = await play({ PreToolUse: one('no-such-program-of-hooks') }, bash('echo ran'))
    expect(results(missing).join()).toContain('ended with code 127')
    const slow = [{ hooks: [{ type: 'command' as const, command: 'sleep 30', timeout: 1 }] }]
    expect(results(await play({ PreToolUse: slow }, bash('echo ran'))).join()).toContain('longer than its time limit')
  })
})

it('PostToolUse adds to the result, and a fault is told to people', async () => {
  const hooks = { PostToolUse: [...one('cat > result.json; echo "format it" >&2; exit 2'), ...one('exit 3')] }
  const played = await play(hooks, bash('echo ran'))
  expect(results(played).join()).toMatch(/ran\n.*format it/su)
  expect(readEvent('result.json')).toMatchObject({ tool_response: { content: 'ran\n', is_error: false } })
  const warnings = played.events.filter(({ type }) => type === 'warning')
  expect(warnings).toMatchObject([{ code: 'hook', message: 'The hook exit 3 ended with code 3' }])
})

it('UserPromptSubmit refuses a prompt, or adds a note for the model', async () => {
  const refused = await play({ UserPromptSubmit: one(`grep -q '"prompt":"Go"' && echo 'say please' >&2 && exit 2`) }, [
    'hi',
  ])
  expect(refused.sent).toMatchObject({ code: 'bad_request', message: 'A hook refused the input: say please' })
  expect(refused.events).toEqual([])
  const noted = await play({ UserPromptSubmit: one('echo "The build is red."') }, ['hi'])
  expect(noted.requests).toEqual([['The build is red.', 'Go']])
})

it('UserPromptSubmit adds no note of a prompt that it refuses', async () => {
  const refuse =
    'grep -q Go && echo \'{"decision":"block","reason":"no","hookSpecificOutput":{"additionalContext":"secret plan"}}\''
  const provider = scripted(['hi'])
  const session = createSession({
    ...{ cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, model: { model: scriptedModel, provider } },
    settings: { hooks: { UserPromptSubmit: one(refuse) } },
  })
  await resultOf(session.send({ type: 'prompt', text: 'Go' })).catch(() => undefined)
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')))
  await resultOf(session.send({ type: 'prompt', text: 'Another' }))
  await settled
  await resultOf(session.close()).catch(() => undefined)
  expect(provider.requests.map(({ messages }) => messages.map(messageText))).toEqual([['Another']])
})

it('SessionStart tells the model before its first request, SessionEnd runs before the session is closed', async () => {
  const hooks = {
    SessionStart: one('cat > start.json; echo "On call: Ann."', 'startup'),
    SessionEnd: one('cat > end.json'),
  }
  const played = await play(hooks, bash('echo ran'))
  expect(played.requests[0]).toEqual(['On call: Ann.', 'Go'])
  expect(played.requests[1]?.filter((text) => text.includes('Ann'))).toHaveLength(1)
  expect(readEvent('start.json')).toMatchObject({ hook_event_name: 'SessionStart', source: 'startup' })
  expect(readEvent('end.json')).toMatchObject({ hook_event_name: 'SessionEnd' })
})

it('Stop lets the run go on until the command is content', async () => {
  const stop = `cat > "stop$(ls | grep -c stop).json"; [ -e stop1.json ] || { echo 'run the tests' >&2; exit 2; }`
  const played = await play({ Stop: one(stop) }, ['one', 'two'])
  expect(played.requests.at(-1)?.at(-1)).toBe('run the tests')
  expect([readEvent('stop0.json'), readEvent('stop1.json')]).toMatchObject([
    { stop_hook_active: false },
    { stop_hook_active: true },
  ])
})

it('a matcher that is no regular expression is refused by name', () => {
  const hooks = { PreToolUse: one('true', '(') }
  expect(() => createSession({ cwd: folder, model: 'demo/guide', settings: { hooks } })).toThrow(
    /hooks\.PreToolUse has a matcher that is no regular expression/u,
  )
})

it('keeps the last hundred notes and faults for the next request', async () => {
  const answer = (at: number) => `{"systemMessage":"m${at}","hookSpecificOutput":{"additionalContext":"c${at}"}}`
  const commands = Array.from({ length: 51 }, (_, at) => ({
    type: 'command' as const,
    command: `echo '${answer(at)}'`,
  }))
  const made = commandHooks({
    ...{ sessionId: 's', cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, isResumed: false },
    commands: { UserPromptSubmit: [{ hooks: commands }] },
  })
  await valuesOf(made?.hooks.input?.({ text: 'Go', source: 'prompt' }) as Observable<unknown>)
  const updates = await valuesOf(made?.notes.due([]) ?? EMPTY)
  const texts = updates.flatMap((update) => {
    if (update.type === 'problem') return [update.message]
    return update.type === 'note' ? [update.note.content] : []
  })
  expect([texts.length, texts.slice(0, 2), texts.at(-1)]).toEqual([100, ['c1', 'm1'], 'm50'])
})

it('hooks of the program are asked first, and the settings may name none', async () => {
  writeFileSync(path.join(folder, 'a'), 'a')
  const own = { beforeToolCall: () => ({ args: { command: 'echo own' } }) }
  const played = await play({ PreToolUse: one('cat > call.json') }, bash('echo sent'), { hooks: own })
  expect(results(played)).toEqual(['own\n'])
  expect(readEvent('call.json')).toMatchObject({ tool_input: { command: 'echo own' } })
  expect(results(await play({}, bash('echo sent'), { hooks: own }))).toEqual(['own\n'])
})

it('an abort during SessionStart leaves its note due for the next run', async () => {
  const provider = scripted(['done'])
  const command = `touch begun; [ -e again ] || sleep 20; echo 'On call: Ann.'`
  const session = createSession({
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    model: { model: scriptedModel, provider },
    settings: { hooks: { SessionStart: one(command) } },
    approve: 'auto',
  })
  const ended = (): Promise<AgentEvent> =>
    firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_end')))
  const aborted = ended()
  const first = resultOf(session.send({ type: 'prompt', text: 'One' }))
  await vi.waitFor(() => expect(existsSync(path.join(folder, 'begun'))).toBe(true), 10_000)
  await resultOf(session.send({ type: 'abort' }))
  await first
  expect(await aborted).toMatchObject({ terminationReason: 'aborted' })
  writeFileSync(path.join(folder, 'again'), '')
  const completed = ended()
  await resultOf(session.send({ type: 'prompt', text: 'Two' }))
  expect(await completed).toMatchObject({ terminationReason: 'completed' })
  await resultOf(session.close()).catch(() => undefined)
  const requests = provider.requests.map(({ messages }) => messages.map(messageText))
  expect(requests).toEqual([['One', 'On call: Ann.', 'Two']])
})
