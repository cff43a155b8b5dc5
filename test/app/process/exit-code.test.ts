// Tests the exit codes of runs and failures.
import { describe, expect, it } from 'vitest'
import { terminationReasons } from '../../../lib/streams/events/event.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { Failure, failureTable, providerFailureKinds } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { exitCodeOfFailure, exitCodeOfRun } from '../../../app/process/exit-code.ts'

type End = EventNamed<'agent_end'>

function end(more: Partial<End> & Pick<End, 'terminationReason'>): End {
  return { type: 'agent_end', totalTurns: 1, usage: noUsage, durationMs: 1, ...more }
}

const providerError = { code: 'provider_error', message: 'refused', data: { kind: 'auth', status: 401 } }

describe('the exit code of a run', () => {
  it.each<[Partial<End> & Pick<End, 'terminationReason'>, number]>([
    [{ terminationReason: 'completed' }, 0],
    [{ terminationReason: 'terminated' }, 0],
    [{ terminationReason: 'stopped', stopRule: 'calledTool' }, 0],
    [{ terminationReason: 'stopped', stopRule: 'maxTurns' }, 4],
    [{ terminationReason: 'stopped', stopRule: 'sameCallRepeated' }, 4],
    [{ terminationReason: 'stopped' }, 4],
    [{ terminationReason: 'budget_exceeded', stopRule: 'spent' }, 4],
    [{ terminationReason: 'error' }, 1],
    [{ terminationReason: 'error', error: { code: 'internal', message: '' } }, 1],
    [{ terminationReason: 'error', error: { code: 'not_allowed', message: '' } }, 1],
    [{ terminationReason: 'error', error: { code: 'of_a_newer_server', message: '' } }, 1],
    [{ terminationReason: 'error', error: providerError }, 3],
    [{ terminationReason: 'error', error: { code: 'storage', message: '' } }, 5],
    [{ terminationReason: 'idle_timeout', error: providerError }, 3],
    [{ terminationReason: 'wall_clock_timeout' }, 124],
    [{ terminationReason: 'aborted' }, 130],
    [{ terminationReason: 'server_shutdown' }, 143],
    [{ terminationReason: 'client_disconnected' }, 1],
    [{ terminationReason: 'crashed' }, 1],
  ])('of %j is %i [EXIT-run]', (fields, code) => {
    expect(exitCodeOfRun(end(fields))).toBe(code)
  })

  it.each(providerFailureKinds)('is 3 after a provider failure: %s [EXIT-3]', (kind) => {
    const error = { code: 'provider_error', message: '', data: { kind } }
    expect(exitCodeOfRun(end({ terminationReason: 'error', error }))).toBe(3)
    expect(exitCodeOfFailure(new Failure('provider_error', '', { data: { kind } }))).toBe(3)
  })

  it('is 0 only for a run that completed, was terminated, or stopped at calledTool [EXIT-run, EXIT-0]', () => {
    const rules = [undefined, 'calledTool', 'maxTurns', 'spent', 'sameCallRepeated', 'own']
    const zero = terminationReasons.flatMap((terminationReason) =>
      rules.flatMap((rule) => {
        const fields = { terminationReason, ...(rule === undefined ? {} : { stopRule: rule }) }
        return exitCodeOfRun(end(fields)) === 0 ? [`${terminationReason} ${rule ?? ''}`.trim()] : []
      }),
    )
    const always = (reason: string) => rules.map((rule) => `${reason} ${rule ?? ''}`.trim())
    expect(zero.sort()).toEqual([...always('completed'), ...always('terminated'), 'stopped calledTool'].sort())
  })
})

describe('the exit code of a failure', () => {
  it.each<[string, number]>([
    ['bad_request', 2],
    ['bad_config', 2],
    ['unknown_session', 2],
    ['message_too_large', 2],
    ['provider_error', 3],
    ['storage', 5],
    ['timeout', 124],
    ['busy', 1],
    ['internal', 1],
    ['constructor', 1],
  ])('of %s is %i [EXIT-failure]', (code, wanted) => {
    expect(exitCodeOfFailure({ code })).toBe(wanted)
  })

  it('is never 0 [EXIT-failure]', () => {
    expect(Object.keys(failureTable).filter((code) => exitCodeOfFailure({ code }) === 0)).toEqual([])
  })
})
