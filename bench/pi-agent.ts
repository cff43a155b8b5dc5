// pi's agent, created for one measurement, and one timed run of it.
import type { PiAgent, PiCore, PiStream, PiTool } from './pi-core.ts'
import { piModel } from './pi-message.ts'

export interface PiAgentParts {
  /** Called for each request. */
  answer(): PiStream
  readonly tools?: readonly PiTool[]
}

export function piAgent({ Agent }: PiCore, { answer, tools = [] }: PiAgentParts): PiAgent {
  return new Agent({ initialState: { model: piModel, systemPrompt: 'bench', tools }, streamFn: answer })
}

/** From `prompt` to its resolution, in microseconds. Rejects if the run failed. */
export async function timedPiPrompt(agent: PiAgent): Promise<number> {
  const startedAt = performance.now()
  await agent.prompt('Go on.')
  const microseconds = (performance.now() - startedAt) * 1000
  if (agent.state.errorMessage !== undefined) throw new Error(`pi's run failed: ${agent.state.errorMessage}`)
  return microseconds
}
