// Provides tool calls and their tools.
import { callTools } from '../../../lib/operators/tool-calls/call-tools.ts'
import type { CalledTool } from '../../../lib/operators/tool-calls/call-tools.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { ToolCall } from '../../../lib/streams/messages/message.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { scenePorts } from '../../../lib/testing/run-scene.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'
import { shortName } from '../../../lib/testing/short-name.ts'

export const call = (id: string, name = id): ToolCall => ({ type: 'toolCall', id, name, arguments: {} })

interface Batch extends Pick<RunScene, 'tools' | 'ports'> {
  readonly calls: readonly ToolCall[]
  readonly refuseAll?: string
}

export function batchOf({ calls, refuseAll, ...scene }: Batch, stop = createStopSwitch()) {
  const { ports } = scenePorts({ script: [], ...scene })
  const results: CalledTool[] = []
  const events$ = callTools({
    calls,
    entryId: 'assistant',
    ports,
    stop,
    onResult: (result) => results.push(result),
    ...(refuseAll === undefined ? {} : { refuseAll }),
  })
  return { events$, results, ports }
}

export const name = (event: AgentEvent) => shortName(event, { calls: true })

export const sequential = { toolExecution: 'sequential' } as const
