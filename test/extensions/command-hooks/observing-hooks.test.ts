// Tests the hook commands of questions, waiting and compactions: what they get, and what a refusal does.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Subject, lastValueFrom, of, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { notifications } from '../../../lib/extensions/command-hooks/notification-hooks.ts'
import type { HookNotification } from '../../../lib/extensions/command-hooks/notification-hooks.ts'
import { createSession } from '../../../lib/index.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { CommandHooks } from '../../../lib/streams/config/hook-settings.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
let session: Session | undefined
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'rxpi-hooks-'))))
afterEach(async () => {
  if (session !== undefined) await lastValueFrom(session.close().pipe(toArray()))
  session = undefined
  rmSync(folder, { recursive: true })
})

const readEvent = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'))

/** A session with hooks and one turn, whose summaries are `summary`. */
async function open(hooks: CommandHooks): Promise<{ readonly session: Session; readonly summaries: unknown[] }> {
  const summaries: unknown[] = []
  const opened = createSession({
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    model: { model: scriptedModel, provider: scripted(['x '.repeat(4_000), 'y '.repeat(4_000)]) },
    settings: { hooks, compaction: { keepRecentTokens: 100 } },
    summariser: (request) => {
      summaries.push(request)
      return of('summary')
    },
  })
  session = opened
  for (const text of ['One', 'Two']) await lastValueFrom(opened.run(text).pipe(toArray()))
  return { session: opened, summaries }
}

const failureOf = (run: Promise<unknown>): Promise<unknown> => run.then(() => undefined, (error: unknown) => String(error)) // prettier-ignore

describe('PreCompact', () => {
  it('gets what a person told, once, and lets the compaction go on', async () => {
    const command = 'cat > compact.json; echo x >> count'
    const { session: opened, summaries } = await open({ PreCompact: [{ matcher: 'manual', hooks: [{ type: 'command', command }] }] }) // prettier-ignore
    await resultOf(opened.send({ type: 'compact', focus: 'the tests' }))
    expect(readEvent('compact.json')).toMatchObject({ hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: 'the tests' }) // prettier-ignore
    expect(readFileSync(path.join(folder, 'count'), 'utf8')).toBe('x\n')
    expect(summaries.length).toBeGreaterThan(0)
  })

  it('cancels the compaction: no summary is asked for', async () => {
    const hooks = [{ type: 'command' as const, command: 'echo "not before the review" >&2; exit 2' }]
    const { session: opened, summaries } = await open({ PreCompact: [{ hooks }] })
    const failure = await failureOf(resultOf(opened.send({ type: 'compact' })))
    expect(failure).toContain('A hook cancelled the compaction: not before the review')
    expect(summaries).toEqual([])
  })
})

describe('Notification', () => {
  it('gets the question of a session, and changes nothing', async () => {
    const command = 'cat > notice.json; exit 2'
    const { session: opened } = await open({ Notification: [{ matcher: 'elicitation_dialog', hooks: [{ type: 'command', command }] }] }) // prettier-ignore
    const held = opened.answering$.subscribe()
    const answered = resultOf(opened.ask({ kind: 'confirm', text: 'Really?' }))
    await vi.waitFor(
      () => {
        expect(readEvent('notice.json')).toMatchObject({ notification_type: 'elicitation_dialog', message: 'Really?' })
      },
      { timeout: 10_000 },
    )
    const requestId = opened.state$.value.requests[0]?.requestId ?? ''
    await resultOf(opened.send({ type: 'ui_response', requestId, outcome: true }))
    expect((await answered).outcome).toBe(true)
    held.unsubscribe()
  })

  it('is due for questions, and once a minute after a run that nothing follows', () => {
    vi.useFakeTimers()
    try {
      const event$ = new Subject<AgentEvent>()
      const due: HookNotification[] = []
      const watching = notifications(event$).subscribe((each) => due.push(each))
      const ask = { type: 'ui_request', requestId: 'r', source: 'core', text: 'Run it?' } as const
      event$.next({ ...ask, kind: 'notify' })
      event$.next({ ...ask, kind: 'approval', tool: 'bash' })
      event$.next({ ...ask, kind: 'approval', tool: 'checksum' })
      expect(due.splice(0)).toEqual([
        { notification_type: 'permission_prompt', message: 'rxpi needs your permission to use Bash' },
        { notification_type: 'permission_prompt', message: 'rxpi needs your permission to use checksum' },
      ])
      event$.next({ type: 'agent_settled' })
      vi.advanceTimersByTime(59_999)
      event$.next({ type: 'agent_start', model: 'm', tools: [], thinkingLevel: 'off' })
      vi.advanceTimersByTime(60_000)
      expect(due).toEqual([])
      event$.next({ type: 'agent_settled' })
      vi.advanceTimersByTime(600_000)
      expect(due).toEqual([{ notification_type: 'idle_prompt', message: 'rxpi is waiting for your input' }])
      watching.unsubscribe()
    } finally {
      vi.useRealTimers()
    }
  })
})
