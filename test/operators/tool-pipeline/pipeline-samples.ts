// Tools, inputs and drafts for the tests of the tool pipeline.
import type { ToolDraft, ToolInputs } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import type { SessionSandbox } from '../../../lib/streams/ports/sandbox.ts'
import type { AnyTool, ToolContext } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

export const [a, b, c, d] = [fakeTool('a', 'a'), fakeTool('b', 'b'), fakeTool('c', 'c'), fakeTool('d', 'd')] as const

export function inputs(more: Partial<ToolInputs> = {}): ToolInputs {
  return { base: [], runtime: [], channel: [], policy: {}, ...more }
}

export function draft(tools: readonly AnyTool[], more: Partial<ToolInputs> = {}): ToolDraft {
  return { tools, inputs: inputs(more) }
}

export function namesOf(tools: readonly AnyTool[]): string {
  return tools.map(({ name }) => name).join(' ')
}

/** Only its identity counts. */
export const sandbox = { ready$: undefined } as unknown as SessionSandbox

export function context(more: Partial<ToolContext> = {}): ToolContext {
  return {
    cwd: '/',
    env: {},
    signal: new AbortController().signal,
    sessionId: 's',
    toolCallId: 'c',
    ask: () => {
      throw new Error('asked')
    },
    ...more,
  }
}
