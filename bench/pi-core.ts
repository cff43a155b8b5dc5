// The used part of pi's installed agent core, typed as far as the comparisons use it.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The classes and functions of pi's own packages. */
export interface PiCore {
  readonly Agent: new (options: PiAgentOptions) => PiAgent
  readonly createAssistantMessageEventStream: () => PiStream
  /** The parser of its providers for a call's unfinished arguments, run at each piece. */
  readonly parseStreamingJson: (text: string) => Record<string, unknown>
}

export interface PiAgentOptions {
  readonly initialState: { readonly model: object; readonly systemPrompt: string; readonly tools: readonly PiTool[] }
  readonly streamFn: () => PiStream
}

export interface PiAgent {
  /** Contains the last run's error, if it had one. */
  readonly state: { readonly errorMessage?: string }
  /** The listener's result is awaited before the next event. */
  subscribe(listener: PiListener): () => void
  /** Resolves when the run has ended and all listeners have. */
  prompt(text: string): Promise<void>
}

export type PiListener = (event: PiEvent) => unknown

export interface PiEvent {
  readonly type: string
  /** Of `tool_execution_end`. */
  readonly isError?: boolean
}

export interface PiStream {
  push(event: object): void
  end(): void
}

export interface PiTool {
  readonly name: string
  readonly label: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: object
  execute(): Promise<object>
}

/** Loads the packages from the folder that `installPi` returns. */
export async function loadPi(packages: string): Promise<PiCore> {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(path.join(packages, file)).href)
  const modules = await Promise.all([
    load('pi-agent-core/dist/index.js'),
    load('pi-ai/dist/utils/event-stream.js'),
    load('pi-ai/dist/utils/json-parse.js'),
  ])
  return Object.assign({}, ...modules) as PiCore // the version is pinned; a missing member fails at its first use
}
