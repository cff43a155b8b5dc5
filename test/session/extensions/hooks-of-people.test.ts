// Tests the hooks about what a person does: shell commands, other sessions, branches.
import { NEVER, Observable, concat, firstValueFrom, of, throwError } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ExtensionApi, ExtensionDefinition, UserBashAnswer } from '../../../lib/extensions/index.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session, SessionCommand } from '../../../lib/session/contract/session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'

const opened: Session[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const session of opened.splice(0)) session.close().subscribe()
})

function open(
  setups: readonly ((api: ExtensionApi) => void)[],
  capabilities: ExtensionDefinition['capabilities'] = ['exec'],
  more: CreateSessionOptions = {},
) {
  const session = createSession({
    model: { model: scriptedModel, provider: scripted([{ text: 'One.' }, { text: 'Two.' }]) },
    cwd: import.meta.dirname,
    env: {},
    approve: 'auto',
    extensions: setups.map((setup, index) => ({ name: `probe${index}`, version: '1.0.0', capabilities, setup })),
    settings: { tools: [] },
    ...more,
  })
  opened.push(session)
  const events: AgentEvent[] = []
  session.events$.subscribe((event) => events.push(event))
  return { session, events }
}

const onBash =
  (answer: (command: string) => UserBashAnswer | undefined) =>
  ({ hooks }: ExtensionApi): void => {
    hooks.on('user_bash', ({ command }) => answer(command))
  }

async function startBash(session: Session, command: string): Promise<string> {
  const { jobId } = await firstValueFrom(session.send({ type: 'user_bash', command }), { defaultValue: { jobId: '' } })
  return jobId
}

/** Runs the command; returns the message that the log gets of it, and its output. */
async function bash(opening: ReturnType<typeof open>, command: string) {
  const { session, events } = opening
  const jobId = await startBash(session, command)
  await vi.waitFor(
    () => {
      expect(events.some((event) => event.type === 'job_end' && event.jobId === jobId)).toBe(true)
    },
    { timeout: 10_000 },
  )
  const end = events.findLast((event) => event.type === 'job_end')
  const start = events.find((event) => event.type === 'job_start')
  const pieces = events.flatMap((event) => (event.type === 'job_update' ? [event.content] : []))
  return {
    exitCode: end?.exitCode,
    text: JSON.stringify(end?.message),
    command: start?.command,
    output: pieces.join(''),
  }
}

/** The code and message of the failure; undefined if the command succeeds. */
async function failureOf(session: Session, command: SessionCommand) {
  try {
    await firstValueFrom(session.send(command as never), { defaultValue: undefined })
    return undefined
  } catch (error) {
    return error as { code: string; message: string }
  }
}

describe('user_bash', () => {
  it('runs what the hook puts in place of the command, or takes its result', async () => {
    const changed = open([onBash(() => ({ command: 'echo changed' }))])
    expect(await bash(changed, 'echo plain')).toMatchObject({ exitCode: 0, command: 'echo changed' })
    const result = open([onBash(() => ({ result: { output: 'ready\u001B[31m!', exitCode: 3 } }))])
    expect(await bash(result, 'echo plain')).toMatchObject({
      exitCode: 3,
      command: 'echo plain',
      text: expect.stringContaining('ready!') as string,
    })
  })

  it('lets the extension run the command, joins its output, and shows its failure', async () => {
    const run$ = (command: string) => concat(of('ran ', command), of({ exitCode: 0 }))
    expect(await bash(open([onBash(() => ({ run: run$ }))]), 'here')).toMatchObject({ exitCode: 0, output: 'ran here' })
    const failing = open([
      onBash(() => ({
        run: () =>
          concat(
            of('half\n'),
            throwError(() => new Error('no line')),
          ),
      })),
    ])
    expect(await bash(failing, 'here')).toMatchObject({ exitCode: null, output: 'half\nno line' })
  })

  it('ends the command of an extension by kill_job', async () => {
    let ended = 0
    const run$ = () => new Observable<string>(() => () => (ended += 1))
    const { session, events } = open([onBash(() => ({ run: run$ }))])
    const jobId = await startBash(session, 'wait')
    const killed$ = session.send({ type: 'kill_job', jobId })
    expect(await firstValueFrom(killed$, { defaultValue: undefined })).toEqual({ killed: true })
    expect(ended).toBe(1)
    expect(events.findLast((event) => event.type === 'job_end')).toMatchObject({ exitCode: null })
  })

  it('hides secrets in what an extension puts out', async () => {
    const key = 'sk-ant-REDACTED'
    const secret = open([onBash(() => ({ result: { output: `key ${key}`, exitCode: 0 } }))], ['exec'], {
      env: { ANTHROPIC_API_KEY: key },
    })
    const { text, output } = await bash(secret, 'env')
    expect(`${text}${output}`).not.toContain(key)
    expect(text).toContain('1 secret was redacted')
  })

  it.each<[string, (api: ExtensionApi) => void, readonly 'exec'[], RegExp]>([
    ['is blocked', onBash(() => ({ block: { reason: 'not here' } })), [], /not here/],
    [
      'has a hook that fails',
      onBash(() => {
        throw new Error('broken gate')
      }),
      ['exec'],
      /broken gate/,
    ],
    ['is changed without the capability', onBash(() => ({ command: 'true' })), [], /capability exec/],
  ])('refuses a command that %s', async (_name, setup, capabilities, message) => {
    const { session, events } = open([setup], capabilities)
    expect((await failureOf(session, { type: 'user_bash', command: 'echo no' }))?.message).toMatch(message)
    expect(events.some(({ type }) => type === 'job_start')).toBe(false)
  })

  it('gives each hook the command of the one before it, and ends at the first that runs it', async () => {
    const commands: string[] = []
    const record = (answer: UserBashAnswer) =>
      onBash((command) => {
        commands.push(command)
        return answer
      })
    const result = { output: '', exitCode: 0 }
    await bash(open([record({ command: 'two' }), record({ result }), record({ block: { reason: 'late' } })]), 'one')
    expect(commands).toEqual(['one', 'two'])
  })
})

describe('before_branch and before_switch', () => {
  const refuse = ({ hooks }: ExtensionApi): void => {
    hooks.on('before_branch', () => ({ cancel: { reason: 'stay' } }))
    hooks.on('before_switch', ({ to }) => (to === 'new' ? { cancel: { reason: 'stay' } } : undefined))
  }
  const back: SessionCommand = { type: 'branch_session', entryId: null }

  it.each<[string, SessionCommand]>([
    ['branch_session', back],
    ['a summarised branch', { ...back, summarise: true }],
    ['a copy', { ...back, newFile: true }],
    ['undo', { type: 'undo' }],
  ])('cancels %s', async (_name, command) => {
    const { session } = open([refuse])
    await firstValueFrom(session.run('Hello'), { defaultValue: undefined })
    const head = session.state$.value.headEntryId
    expect(await failureOf(session, command)).toMatchObject({ code: 'not_allowed', message: 'A hook refused it: stay' })
    expect(session.state$.value.headEntryId).toBe(head)
  })

  it('acts in the call itself if no hook is there, and after the hook otherwise', async () => {
    const steps: unknown[] = []
    const free = open([])
    free.session.send(back).subscribe({ next: () => steps.push('acted') })
    expect(steps).toEqual(['acted'])
    const { session } = open([({ hooks }) => hooks.on('before_branch', (step) => void steps.push(step))])
    await firstValueFrom(session.send(back), { defaultValue: undefined })
    expect(steps.at(-1)).toEqual({
      type: 'branch',
      entryId: null,
      copy: false,
      summarise: false,
      restoreFiles: false,
    })
  })

  it('lets a hook refuse a switch, and skips one that fails or takes too long', async () => {
    const check = (session: Session, to: 'new' | 'open') =>
      firstValueFrom(session.checkLeave?.({ type: 'switch', to }) ?? NEVER, { defaultValue: 'may leave' }).catch(
        (error: unknown) => (error as Error).message,
      )
    const { session } = open([refuse])
    expect(await check(session, 'new')).toBe('A hook refused it: stay')
    expect(await check(session, 'open')).toBe('may leave')
    const slow = open([
      ({ hooks }) => {
        hooks.on('before_switch', () => NEVER, { limitMs: 20 })
        hooks.on('before_switch', () => throwError(() => new Error('broken')))
      },
    ])
    expect(await check(slow.session, 'new')).toBe('may leave')
    expect(slow.events.filter(({ type }) => type === 'warning')).toHaveLength(2)
  })

  it('refuses a branch that a session takes no more when the hook has answered', async () => {
    let answer: () => void = () => undefined
    const { session } = open([
      ({ hooks }) =>
        hooks.on('before_branch', () => new Promise<undefined>((resolve) => (answer = () => resolve(undefined)))),
    ])
    const failure = failureOf(session, back)
    await vi.waitFor(() => expect(answer).not.toBe(undefined), { timeout: 10_000 })
    session.close().subscribe()
    answer()
    expect(await failure).toMatchObject({ code: 'unknown_session' })
  })
})
