// Tests that a session prepares its sandbox before the first call, and hands it to tools.
import { defer, map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionSandbox } from '../../../lib/streams/ports/sandbox.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { fakeSandbox } from '../../support/fake-sandbox.ts'
import { playSession } from '../../support/virtual-session.ts'

const call = { toolCalls: [{ name: 'act', arguments: {} }] }

function play(sandbox: SessionSandbox) {
  const got: (string | undefined)[] = []
  const act: AnyTool = {
    ...fakeTool('act', 'done'),
    execute: (_: never, context) => {
      got.push(context.sandbox?.profile)
      return of(textResult('done'))
    },
  }
  const played = playSession({ script: [call, call, 'Bye'], tools: [act], prompt: 'Go', options: { sandbox } })
  const ends = played.records.flatMap(({ event, at }) =>
    event.type === 'tool_execution_end' ? [{ ...event, at }] : [],
  )
  return { got, ends }
}

describe('the sandbox of a session', () => {
  it('is prepared before the first call is decided, and reaches the tool [SANDBOX-ready]', () => {
    let prepared = 0
    let isReady = false
    const prepare = (): void => {
      prepared += 1
      isReady = true
    }
    const sandbox: SessionSandbox = {
      ...fakeSandbox(),
      get profile() {
        return isReady ? ('workspace' as const) : undefined
      },
      ready$: defer(() => (isReady ? of(undefined) : timer(40).pipe(map(prepare)))),
    }
    const { got, ends } = play(sandbox)
    expect(got).toEqual(['workspace', 'workspace'])
    expect(ends.map(({ at }) => at)).toEqual([40, 40])
    expect(prepared).toBe(1)
  })

  it('refuses the calls if it is demanded and cannot be had [SANDBOX-ready]', () => {
    const ready$ = throwError(() => new Failure('bad_config', 'There is no bubblewrap; install it.'))
    const { got, ends } = play(fakeSandbox({ ready$ }))
    expect(got).toEqual([])
    expect(ends).toHaveLength(2)
    expect(ends[0]).toMatchObject({ isError: true })
    expect(JSON.stringify(ends[0]?.content)).toContain('act was not run: There is no bubblewrap; install it.')
  })
})
