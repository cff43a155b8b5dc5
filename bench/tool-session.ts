// Calls built-in tools without a model, and measures the time of a call.
import { lastValueFrom, of } from 'rxjs'
import { outputOf } from '../lib/streams/tool-definition/tool-output.ts'
import { builtInTools } from '../lib/tools/index.ts'
import type { AnyTool, ToolContext, ToolResult } from '../lib/streams/ports/tool.ts'

export type Call = (name: string, args: object) => Promise<ToolResult>

/** Calls the tools of one session. @throws if a call fails */
export function toolSession(cwd: string): Call {
  const registry = builtInTools()
  const { signal } = new AbortController()
  const ask$ = () => of({ outcome: 'deny', by: 'default' } as const)
  const env = { PATH: process.env['PATH'] ?? '' }
  const context: ToolContext = { cwd, env, signal, sessionId: 'aaaaaaaaaaaa', toolCallId: 'call_1', ask: ask$ }
  return async (name, args) => {
    const tool: AnyTool | undefined = registry.find((each) => each.name === name)
    if (tool === undefined) throw new Error(`there is no tool ${name}`)
    const result$ = outputOf(tool.execute(args as never, context), context)
    const last = await lastValueFrom(result$, { defaultValue: undefined })
    if (last?.type !== 'result' || last.isError === true) throw new Error(`${name} failed`)
    return last
  }
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
