// Tests background jobs of tools in virtual time: they belong to the session, and their end starts no run.
import { NEVER, delay, map, merge, of, take, takeUntil, takeWhile, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { bashExecutionInput } from '../../../lib/streams/messages/bash-execution.ts'
import type { ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import type { UserShell } from '../../../lib/streams/ports/user-shell.ts'
import { recoverLog } from '../../../lib/session/recovery/recover-log.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'
import { builtInTools } from '../../../lib/tools/index.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { logOf, recordingStore } from '../../support/cut-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'

/** Prints `a` and what is typed, after `ms` milliseconds `b`, and ends; a signal ends it a millisecond later. */
const shellOf =
  (ms: number): UserShell =>
  (_command, endWhen$, terminal) => {
    const end = { type: 'end', truncated: false } as const
    const usual$ = merge(
      of({ type: 'output', content: 'a', offset: 0 } as const),
      (terminal?.input$ ?? NEVER).pipe(map((content) => ({ type: 'output', content, offset: 1 }) as const)),
      timer(ms).pipe(map(() => ({ ...end, output: 'ab', exitCode: 0 }))),
    )
    const cut$ = endWhen$.pipe(
      take(1),
      delay(1),
      map(() => ({ ...end, output: 'a', exitCode: null })),
    )
    return merge(usual$.pipe(takeUntil(endWhen$)), cut$).pipe(takeWhile(({ type }) => type !== 'end', true))
  }

const start = (more: object = {}) => ({
  toolCalls: [{ name: 'bash', arguments: { command: 'npm run dev', background: true, ...more } }],
})
/** The id in the last tool result. */
const jobIn = ({ messages }: ProviderRequest): string =>
  /Job (\w+) is running/.exec(JSON.stringify(messages.findLast(({ role }) => role === 'toolResult')))?.[1] ?? ''
const callWithJob =
  (name: string, more: object = {}) =>
  (request: ProviderRequest) => ({ toolCalls: [{ name, arguments: { id: jobIn(request), ...more } }] })

const play = (scene: Partial<SessionScene>): PlayedSession =>
  playSession({
    script: [start(), 'Started'],
    prompt: 'x',
    tools: builtInTools().filter(({ name }) => name !== 'job_input'),
    userShell: shellOf(1_000),
    ...scene,
  })
const types = ({ events }: Pick<PlayedSession, 'events'>): string[] => events.map(({ type }) => type)
const resultsOf = ({ events }: PlayedSession): string[] =>
  events.flatMap((event) => (event.type === 'tool_execution_end' ? JSON.stringify(event.content) : []))

describe('a background job', () => {
  it('outlives its run, and its end starts none and waits for the next [JOBS-end]', () => {
    const scene = play({
      script: [start(), 'Started', 'Hi'],
      at: { 5_000: ({ send }) => send({ type: 'prompt', text: 'y' }) },
    })
    const begun = scene.records.find(({ event }) => event.type === 'job_start')?.event
    expect(begun).toMatchObject({ command: 'npm run dev', toolCallId: expect.any(String) as string, by: 'tool' })
    expect(types(scene).filter((type) => /^(?:job_(?:start|end)|agent_)/.test(type))).toEqual([
      'agent_start',
      'job_start',
      'agent_end',
      'agent_settled',
      'job_end',
      'agent_start',
      'agent_end',
      'agent_settled',
    ])
    expect(scene.requests[2]?.messages.map(({ content }) => JSON.stringify(content)).join()).toMatch(
      /Your background job \w+ has ended:\\n\\n\$ npm run dev\\nab/,
    )
  })

  it('is read by id and from an offset, and its end is heard once [JOBS-output]', () => {
    const scene = play({
      script: [start(), callWithJob('job_output'), callWithJob('job_output', { after: 1, wait: 60 }), 'Done'],
    })
    const results = resultsOf(scene)
    expect(results[1]).toMatch(/"a\\n\[Job \w+ is running\. Next: after 1\]/)
    expect(results[2]).toMatch(/"\[Job \w+ has ended: exit code 0\]/)
    expect(scene.events.filter(({ type }) => type === 'job_end')).toMatchObject([{ exitCode: 0, durationMs: 1_000 }])
    expect(JSON.stringify(scene.requests[3]?.messages)).not.toContain('Your background job')
  })

  it('waits no longer than it is asked to [JOBS-output]', () => {
    const scene = play({ script: [start(), callWithJob('job_output', { after: 1, wait: 0.3 }), 'Done'] })
    expect(scene.records.find(({ event }) => event.type === 'agent_settled')?.at).toBe(300)
  })

  it('is ended by job_kill, and its end is reported once [JOBS-kill]', () => {
    const scene = play({ script: [start(), callWithJob('job_kill'), 'Done'] })
    expect(resultsOf(scene)[1]).toContain('has ended: by a signal')
    expect(JSON.stringify(scene.requests[2]?.messages)).not.toContain('Your background job')
    expect(scene.session.state$.value.jobs).toEqual([])
  })

  it('is ended by a person with kill_job, and the model hears of it [JOBS-kill]', () => {
    const kill = ({ send, session }: PlayedSession) =>
      send({ type: 'kill_job', jobId: session.state$.value.jobs[0]?.jobId ?? '' })
    const scene = play({ at: { 100: kill as never } })
    expect(scene.sent[1]).toMatchObject({ result: { killed: true }, answeredAt: 101 })
    expect(JSON.stringify(scene.events)).toContain('"cancelled":true')
  })

  it('is ended by its own time limit, and has none by default [JOBS-kill]', () => {
    const scene = play({ script: [start({ timeout: 0.2 }), 'Started'] })
    expect(scene.events.find(({ type }) => type === 'job_end')).toMatchObject({ exitCode: null, durationMs: 201 })
  })

  it('ends with its session [JOBS-session]', () => {
    const scene = play({ at: { 50: ({ session }) => session.close().subscribe() } })
    expect(scene.events.find(({ type }) => type === 'job_end')).toMatchObject({ exitCode: null, durationMs: 51 })
  })

  it('goes on when its run is aborted [JOBS-session]', () => {
    const scene = play({
      script: [start(), { text: 'x', delayMs: 500 }],
      at: { 100: ({ send }) => send({ type: 'abort' }) },
    })
    expect(scene.events.find(({ type }) => type === 'job_end')).toMatchObject({ exitCode: 0, durationMs: 1_000 })
  })

  it('begins where the last command ended, with bash.persist [JOBS-persist]', () => {
    const contexts: unknown[] = []
    const userShell$: UserShell = (command, endWhen$, terminal, shellContext) => {
      contexts.push(shellContext)
      return shellOf(1_000)(command, endWhen$, terminal)
    }
    play({ tools: builtInTools({ bashPersist: true }), userShell: userShell$ })
    play({ userShell: userShell$ })
    expect(contexts).toEqual([{ folder: expect.any(String) as string, changes: new Map() }, undefined])
  })

  it('takes input outside the sandbox only with escalate, which policy sees', () => {
    const outside = { pty: true, escalate: 'docker' }
    const inputOf = (more: object): string | undefined =>
      resultsOf(
        play({
          script: [start(outside), callWithJob('job_input', { text: 'hello', ...more }), 'Done'],
          tools: builtInTools(),
        }),
      )[1]
    expect(inputOf({})).toContain('runs outside the sandbox; set escalate')
    expect(inputOf({ escalate: 'to answer it' })).toContain('hello')
  })

  it('takes input in a terminal only; job_input joins with the first one [JOBS-pty]', () => {
    const scene = play({
      script: [start({ pty: true }), callWithJob('job_input', { text: 'hello' }), 'Done'],
      tools: builtInTools(),
    })
    expect(resultsOf(scene)[0]).toContain('job_input types into it')
    expect(resultsOf(scene)[1]).toMatch(/"hello\\n\[Job/)
    const other = play({
      script: [start(), callWithJob('job_input', { text: 'hello' }), 'Done'],
      tools: builtInTools(),
    })
    expect(resultsOf(other)[1]).toContain('has no terminal; start it with pty: true')
  })

  it('is refused with the reason if no terminal can be had [JOBS-pty]', () => {
    const reason = 'A terminal needs the package x'
    const terminalCheck$ = throwError(() => new Failure('bad_request', reason))
    const scene = play({
      script: [start({ pty: true }), 'Done'],
      tools: builtInTools(),
      userShell: Object.assign(shellOf(1), { terminalCheck$ }),
    })
    expect(resultsOf(scene)[0]).toContain(reason)
    expect(scene.events.some(({ type }) => type === 'job_start' || type === 'active_tools_change')).toBe(false)
  })

  it('that is unknown is named, with the jobs there are [JOBS-output]', () => {
    const scene = play({ script: [{ toolCalls: [{ name: 'job_kill', arguments: { id: 'nope' } }] }, 'Done'] })
    expect(resultsOf(scene)[0]).toContain('There is no job nope; jobs: this session has none')
  })

  it('is refused beside sixteen others [JOBS-limit]', () => {
    const calls = Array.from({ length: 17 }, () => start().toolCalls).flat()
    const scene = play({ script: [{ toolCalls: calls }, 'Done'] })
    expect(resultsOf(scene).filter((text) => text.includes('16 background jobs are running'))).toHaveLength(1)
  })

  it('is closed by job_lost when its process was killed [JOBS-lost]', () => {
    const store = recordingStore()
    const scene = play({ log: faultyLog(store) })
    const cut = store.written.findIndex(({ body }) => body.includes('"job_start"')) + 1
    expect(scene.events.some(({ type }) => type === 'job_end')).toBe(true)
    const log = logOf(store.written.slice(0, cut))
    recoverLog({ log, state: replayLog(log), ids: countedIds(), warnings: [] })
    const ends = [...log.records()].map(({ event }) => event).filter(({ type }) => type === 'job_lost')
    expect(ends).toEqual([{ type: 'job_lost', jobId: expect.any(String) as string }])
    expect(replayLog(log).jobs).toEqual([])
  })
})

it('a job message of another program without ids is still readable', () => {
  const message = { role: 'bashExecution', command: 'ls', output: '', toolCallId: 'c', timestamp: 0 } as never
  expect(bashExecutionInput(message)?.content).toBe('Your background job  has ended:\n\n$ ls')
})
