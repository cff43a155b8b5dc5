// Tests commands of bash in the terminals of a client: what it is sent, its output, every way in which it may end.
// Over 250 lines: one tool, and each way in which a command may end in a place that is not ours.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, NEVER, Observable, Subject, merge, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSecrets } from '../../../lib/policy/secrets/create-secrets.ts'
import type {
  ClientTerminal,
  ClientTerminals,
  TerminalCommand,
  TerminalExit,
  TerminalOutput,
} from '../../../lib/streams/environment/terminal-exchange.ts'
import type { ToolContext, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { createBashTool } from '../../../lib/tools/shell/bash.ts'
import type { BashOptions } from '../../../lib/tools/shell/bash.ts'
import { call, testContext, textOf } from '../../contract/tool-contract.ts'
import { fakeSandbox } from '../../support/fake-sandbox.ts'

/** Not `setImmediate`: one of a start of a process would hold the starts of every later test. */
const faked = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-terminal-test-')))
  vi.useFakeTimers({ toFake: [...faked] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

interface FakeTerminal {
  readonly terminals: ClientTerminals
  /** The calls in order. */
  readonly log: string[]
  readonly commands: TerminalCommand[]
  readonly exit$: Subject<TerminalExit>
  output: Observable<TerminalOutput>
  /** What `kill` does beside its answer. */
  onKill(): void
}

/** A client that holds one command open until the test ends it. */
function fakeTerminal(): FakeTerminal {
  const fake: FakeTerminal = {
    log: [],
    commands: [],
    exit$: new Subject(),
    output: of({ text: '', truncated: false }),
    onKill: () => fake.exit$.next({ exitCode: null, signal: 'SIGTERM' }),
    terminals: {
      create: (command, toolCallId) => {
        fake.log.push(`create ${toolCallId}`)
        fake.commands.push(command)
        return merge(of(terminal), NEVER)
      },
    },
  }
  const terminal: ClientTerminal = {
    output: () => {
      fake.log.push('output')
      return new Observable((subscriber) => fake.output.subscribe(subscriber))
    },
    exit: () => fake.exit$,
    kill: () => {
      fake.log.push('kill')
      fake.onKill()
      return of(undefined)
    },
    release: () => void fake.log.push('release'),
  }
  return fake
}

interface Running {
  readonly progress: ToolProgress[]
  readonly results: ToolResult[]
  stop(): void
}

const offering = ({ terminals }: FakeTerminal): Partial<ToolContext> => ({ clientTerminals: () => terminals })

function run(context: Partial<ToolContext>, args: object = {}, options: BashOptions = {}): Running {
  const [progress, results]: [ToolProgress[], ToolResult[]] = [[], []]
  const tool = createBashTool({ spillFolder: path.join(folder, 'spill'), ...options })
  const running = call(tool, { command: 'make all', ...args }, testContext(folder, context)).subscribe((event) => {
    if (event.type === 'progress') progress.push(event)
    else results.push(event)
  })
  return { progress, results, stop: () => running.unsubscribe() }
}

const ended: TerminalExit = { exitCode: 0, signal: null }
const only = ({ results }: Running): ToolResult => {
  expect(results).toHaveLength(1)
  return results[0] as ToolResult
}

describe('a command in a terminal of the client', () => {
  it('is a shell without input in the folder of the session, with the environment of the session [ATTACH-terminals]', () => {
    const fake = fakeTerminal()
    const running = run({
      ...offering(fake),
      env: { PATH: process.env['PATH'] ?? '', NAME: 'value' },
      toolCallId: 'call_7',
    })
    const [command] = fake.commands
    expect(command).toMatchObject({
      program: expect.stringMatching(/\/(?:ba)?sh$/) as unknown,
      args: ['-c', 'exec </dev/null\nmake all'],
      cwd: folder,
      outputBytes: 1_048_576,
    })
    expect(command?.env).toMatchObject({ NAME: 'value', GIT_TERMINAL_PROMPT: '0', PAGER: 'cat' })
    fake.output = of({ text: 'built\r\n', truncated: false })
    fake.exit$.next(ended)
    expect(only(running)).toEqual({
      type: 'result',
      content: [{ type: 'text', text: 'built\n' }],
      details: {
        ...{ exitCode: 0, signal: null, timedOut: false, totalLines: 1, totalBytes: 6, isCut: false, leftBehind: 0 },
        inClientTerminal: true,
      },
    })
    expect(fake.log).toEqual(['create call_7', 'output', 'release'])
  })

  it.each<[string, TerminalExit, RegExp]>([
    ['an exit code', { exitCode: 3, signal: null }, /^out\n\[exit code 3\]$/],
    ['a signal', { exitCode: null, signal: 'SIGKILL' }, /^out\n\[Ended by signal SIGKILL\.\]$/],
    ['a signal without its prefix', { exitCode: null, signal: 'HUP' }, /SIGHUP/],
  ])('ends with %s as an error', (_, exit, text) => {
    const fake = fakeTerminal()
    const running = run(offering(fake))
    fake.output = of({ text: 'out\n', truncated: false })
    fake.exit$.next(exit)
    expect(textOf(only(running))).toMatch(text)
    expect(only(running).isError).toBe(true)
  })

  it('shows what it prints once a second, as long as the client has all of it', () => {
    const fake = fakeTerminal()
    const running = run(offering(fake))
    const texts = (): string[] => running.progress.map(({ content }) => content)
    fake.output = of({ text: 'one\r\n', truncated: false })
    vi.advanceTimersByTime(1_000)
    fake.output = of({ text: 'one\r\ntwo\r\n', truncated: false })
    vi.advanceTimersByTime(1_000)
    expect(texts()).toEqual(['one\n', 'two\n'])
    fake.output = of({ text: 'another screen', truncated: false })
    vi.advanceTimersByTime(1_000)
    fake.output = throwError(() => new Failure('timeout', 'late'))
    vi.advanceTimersByTime(1_000)
    fake.output = of({ text: 'two\r\nthree\r\n', truncated: true })
    vi.advanceTimersByTime(5_000)
    expect(texts()).toEqual(['one\n', 'two\n'])
    expect(fake.log.filter((each) => each === 'output')).toHaveLength(5)
    fake.exit$.next(ended)
    expect(textOf(only(running))).toBe(
      'two\nthree\n[The terminal of the client holds the end of the output alone; what came before is lost.]',
    )
  })

  it('has a result within the usual limits, and the output that the client has in a private file', () => {
    const fake = fakeTerminal()
    const running = run(offering(fake))
    const text = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join('')
    fake.output = of({ text, truncated: false })
    fake.exit$.next(ended)
    const { fullOutput } = only(running).details as { readonly fullOutput: string }
    expect(textOf(only(running))).toMatch(/^line 3000\n[^]*\[This is lines 3001-5000 of 5000/)
    expect(readFileSync(fullOutput, 'utf8')).toBe(text)
  })

  it('shows no secret, in progress, result and file [S18b]', () => {
    const secret = 'planted-value-0123456789'
    const { secrets } = createSecrets({ env: { MY_SECRET: secret }, keyVariables: [] })
    if (secrets === undefined) throw new Error('nothing is hidden')
    const fake = fakeTerminal()
    const redaction = secrets.begin()
    const running = run({ ...offering(fake), redaction })
    fake.output = of({ text: `a ${secret.slice(0, 12)}`, truncated: false })
    vi.advanceTimersByTime(1_000)
    const text = `a ${secret} z\n${'x\n'.repeat(3_000)}${secret}\n`
    fake.output = of({ text, truncated: false })
    fake.exit$.next(ended)
    const { fullOutput } = only(running).details as { readonly fullOutput: string }
    const shown = [
      ...running.progress.map(({ content }) => content),
      textOf(only(running)),
      readFileSync(fullOutput, 'utf8'),
    ]
    for (const each of shown) expect(each).not.toContain(secret.slice(0, 12))
    expect(shown.at(-1)).toMatch(/^a \[redacted:/)
    expect(redaction.count).toBe(2)
  })

  it('is killed at its time limit, and its output until then is the result', () => {
    const fake = fakeTerminal()
    const running = run(offering(fake), { timeout: 2 })
    fake.output = of({ text: 'so far\n', truncated: false })
    vi.advanceTimersByTime(2_000)
    expect(textOf(only(running))).toMatch(/^so far\n\[Ended after 2 s, its time limit\./)
    expect(only(running)).toMatchObject({ isError: true, details: { timedOut: true, signal: 'SIGTERM' } })
    expect(fake.log.slice(-3)).toEqual(['kill', 'output', 'release'])
  })

  it.each<[string, (fake: FakeTerminal) => void]>([
    ['does nothing', () => undefined],
    ['ends without a word', (fake) => (fake.onKill = () => fake.exit$.complete())],
  ])('that the client does not end at the limit has a result all the same: kill %s', (_, change) => {
    const fake = fakeTerminal()
    fake.onKill = () => undefined
    change(fake)
    const running = run(offering(fake), { timeout: 2 })
    vi.advanceTimersByTime(6_999)
    expect(running.results).toEqual([])
    vi.advanceTimersByTime(1)
    expect(textOf(only(running))).toMatch(/time limit[^]*\[The client did not confirm that the command has ended\.\]$/)
    expect(fake.log.at(-1)).toBe('release')
  })

  it('is given back at once when the call is aborted, though nothing is answered', () => {
    const fake = fakeTerminal()
    fake.output = NEVER
    const running = run(offering(fake))
    running.stop()
    expect(fake.log).toEqual(['create call_1', 'release'])
    expect(running.results).toEqual([])
  })

  it.each<[string, Failure, object, RegExp]>([
    [
      'disconnected',
      new Failure('disconnected', 'the client left the session'),
      { code: 'disconnected' },
      /may have taken effect/,
    ],
    ['timeout', new Failure('timeout', 'the client did not answer within 10 s'), { code: 'timeout' }, /within 10 s/],
  ])('is a coded error if its end is not known: %s', (_, failure, details, text) => {
    const fake = fakeTerminal()
    const running = run(offering(fake))
    fake.exit$.error(failure)
    expect(only(running)).toMatchObject({ isError: true, details })
    expect(textOf(only(running))).toMatch(text)
    expect(fake.log.at(-1)).toBe('release')
  })

  it('that the client refuses is a coded error, and runs nowhere else', () => {
    const create$ = () => throwError(() => new Failure('timeout', 'the client did not answer within 30 s'))
    const running = run(
      { clientTerminals: () => ({ create: create$ }) },
      { command: `echo ran > ${path.join(folder, 'ran')}` },
    )
    expect(only(running)).toMatchObject({ isError: true, details: { code: 'timeout' } })
    expect(textOf(only(running))).toBe(
      'The client opened no terminal for the command: the client did not answer within 30 s.',
    )
    expect(() => readFileSync(path.join(folder, 'ran'))).toThrow('ENOENT')
  })
})

describe('which commands run in a terminal of the client', () => {
  const outside = { escalate: 'It needs the network.' }

  it.each<[string, Partial<ToolContext>, object, BashOptions]>([
    ['without any sandbox', {}, {}, {}],
    ['with a sandbox that is off', { sandbox: fakeSandbox({ profile: undefined }) }, {}, {}],
    ['outside of the sandbox, as a person approved', { sandbox: fakeSandbox() }, outside, {}],
  ])('one %s does', (_, context, args, options) => {
    const fake = fakeTerminal()
    run({ ...offering(fake), ...context }, args, options).stop()
    expect(fake.commands).toHaveLength(1)
  })

  it.each<[string, Partial<ToolContext>, object, BashOptions]>([
    ['in the sandbox', { sandbox: fakeSandbox({ spawn: () => EMPTY }) }, {}, {}],
    ['that the setting leaves here', {}, {}, { clientTerminal: false }],
    ['of a shell that continues', {}, {}, { persist: true }],
    ['in the background', {}, { background: true }, {}],
    ['with a terminal of its own', {}, { pty: true }, {}],
    ['that draws on a screen', {}, { command: 'vim' }, {}],
  ])('one %s does not', (_, context, args, options) => {
    const fake = fakeTerminal()
    run({ ...offering(fake), ...context }, { command: 'true', ...args }, options).stop()
    expect(fake.log).toEqual([])
  })
})
