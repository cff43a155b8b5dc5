// Tests `rxpi sessions compact`, `pin`, `unpin`, `hide`, `unhide` and `replace`.
import { NEVER, Subject, firstValueFrom, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { changeContext, compactSession } from '../../../../app/commands/sessions/session-compact.ts'
import type { Signal } from '../../../../app/process/exit-code.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const session = 'abcdefghij23'
const entryId = 'abcdefg2'
const workspace = { mode: 'sessions', session, json: false } as const

function world(answers: Readonly<Record<string, unknown>> = {}) {
  const requests: object[] = []
  const own = fakeWorld()
  const request$ = (command: { readonly type: string }) => {
    requests.push(command)
    const answer = answers[command.type] ?? {}
    if (answer instanceof Failure) return throwError(() => answer)
    return answer === NEVER ? NEVER : of(answer)
  }
  return {
    ...own,
    requests,
    world: { ...own.world, client: { ...own.world.client, request: request$ } as typeof own.world.client },
  }
}

describe('sessions compact', () => {
  const result = { entryId, tokensBefore: 182_000, tokensAfter: 24_000, messages: 41 }
  const invocation = { ...workspace, action: 'compact' } as const

  it('opens the session with the environment of the caller, and prints what was cut and saved', async () => {
    const own = world({ compact: result })
    expect(
      await firstValueFrom(compactSession({ ...invocation, focus: 'tests' }, own.world), { defaultValue: -1 }),
    ).toBe(0)
    expect(own.requests).toMatchObject([
      { type: 'open_session', session },
      { type: 'compact', session, focus: 'tests' },
    ])
    expect(own.stdout.written).toBe(
      `Session ${session}: 41 messages were summarised · 182k → 24k tokens\nTo read the summary: rxpi sessions show ${session} --entry ${entryId}\n`,
    )
    expect(own.stderr.written).toBe('rxpi: the model summarises earlier messages\n')
  })

  it('says that shorter output was enough, and prints JSON', async () => {
    const own = world()
    await firstValueFrom(compactSession(invocation, own.world), { defaultValue: -1 })
    expect(own.stdout.written).toContain('a summary was not needed')
    const json = world({ compact: result })
    await firstValueFrom(compactSession({ ...invocation, json: true }, json.world), { defaultValue: -1 })
    expect(JSON.parse(json.stdout.written)).toEqual({ session, ...result })
  })

  it('fails as the server does', async () => {
    const failed = firstValueFrom(compactSession(invocation, world({ compact: new Failure('busy', 'no') }).world), {
      defaultValue: -1,
    })
    await expect(failed).rejects.toMatchObject({ code: 'busy' })
  })

  it('is stopped at a signal', () => {
    const own = world({ compact: NEVER })
    const signals$ = new Subject<Signal>()
    const codes: number[] = []
    compactSession(invocation, { ...own.world, signals$ }).subscribe((code) => codes.push(code))
    signals$.next('SIGINT')
    expect(own.requests.at(-1)).toEqual({ type: 'abort', session })
    expect(codes).toEqual([130])
  })
})

it.each<[Parameters<typeof changeContext>[0], object, string]>([
  [{ ...workspace, action: 'pin', entryId }, { type: 'context_pin', session, entryId, pinned: true }, 'stays when'],
  [
    { ...workspace, action: 'unpin', entryId },
    { type: 'context_pin', session, entryId, pinned: false },
    'no longer pinned',
  ],
  [
    { ...workspace, action: 'hide', entryId },
    { type: 'context_edit', session, entryId, hide: true },
    'does not receive',
  ],
  [{ ...workspace, action: 'unhide', entryId }, { type: 'context_edit', session, entryId }, 'as it is in the log'],
  [
    { ...workspace, action: 'replace', entryId, text: 'x' },
    { type: 'context_edit', session, entryId, text: 'x' },
    'your text in place',
  ],
])('%j sends its command and says what holds now', async (invocation, command, words) => {
  const own = world()
  expect(await firstValueFrom(changeContext(invocation, own.world), { defaultValue: -1 })).toBe(0)
  expect(own.requests.at(-1)).toEqual(command)
  expect(own.stdout.written).toContain(words)
  const json = world()
  await firstValueFrom(changeContext({ ...invocation, json: true }, json.world), { defaultValue: -1 })
  expect(JSON.parse(json.stdout.written)).toEqual({ session })
})
