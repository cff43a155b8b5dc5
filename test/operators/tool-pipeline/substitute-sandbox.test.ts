// Tests the layer that moves tools into the session's sandbox.
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { substituteSandbox } from '../../../lib/operators/tool-pipeline/substitute-sandbox.ts'
import type { ToolDraft } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import { createLazySignal } from '../../../lib/operators/tool-calls/lazy-signal.ts'
import type { AnyTool, ToolContext } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { a, context, draft, sandbox } from './pipeline-samples.ts'

function substituted(tool: AnyTool, more: Partial<ToolDraft['inputs']>): AnyTool {
  let made = tool
  marbles(({ cold }) => {
    cold<ToolDraft>('(x|)', { x: draft([tool], more) })
      .pipe(substituteSandbox())
      .subscribe(({ tools: [first = tool] }) => (made = first))
  })
  return made
}

describe('substituteSandbox', () => {
  it('gives the calls of each tool the sandbox, and leaves the tool otherwise as it is [LOOP-37b]', () => {
    const tool = fakeTool('bash', 'done', { timeoutMs: 7, capability: 'exec' })
    const made = substituted(tool, { sandbox })
    void made.execute({ command: 'ls' } as never, context({ cwd: '/work' }))
    expect(tool.calls).toHaveLength(1)
    expect(tool.calls[0]).toMatchObject({ args: { command: 'ls' }, context: { cwd: '/work', sessionId: 's' } })
    expect(tool.calls[0]?.context.sandbox).toBe(sandbox)
    expect({ ...made, execute: 0 }).toEqual({ ...tool, execute: 0 })
  })

  it('takes no signal that the tool does not take', () => {
    const signal = createLazySignal()
    const lazy = { ...context(), signal: undefined }
    Object.defineProperty(lazy, 'signal', { get: () => signal.signal, enumerable: true })
    void substituted(fakeTool('a', 'done'), { sandbox }).execute({} as never, lazy as unknown as ToolContext)
    expect(signal.taken).toBe(false)
    const reading = fakeTool('b', ({ context: { signal: own } }) => String(own.aborted))
    void substituted(reading, { sandbox }).execute({} as never, lazy as unknown as ToolContext)
    expect(signal.taken).toBe(true)
  })

  it('returns the tools themselves without a sandbox', () => {
    expect(substituted(a, {})).toBe(a)
  })

  it('follows the sandbox of the inputs, and ends with its source', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const tools = [a]
      const draft$ = hot('-x-y-x-|', { x: draft(tools), y: draft(tools, { sandbox }) })
      const isPlain = (drafted: ToolDraft): boolean => drafted.tools[0] === a
      expectObservable(draft$.pipe(substituteSandbox(), map(isPlain))).toBe('-x-y-x-|', { x: true, y: false })
      expectSubscriptions(draft$.subscriptions).toBe('^------!')
    })
  })
})
