// The layers that add tools: base tools, runtime tools and channel tools.
// Guarantees: a tool never replaces one of an earlier layer; of two with one name in a layer, the first counts.
import type { AnyTool } from '../../streams/ports/tool.ts'
import { layerOf } from './tool-draft.ts'
import type { ToolInputs, ToolLayer } from './tool-draft.ts'

/** Layer 1: begins with `inputs.base`. Ends and fails with its source; holds the last draft. */
export function baseTools(): ToolLayer {
  return adding('base')
}

/** Layer 3: adds `inputs.runtime`. Ends and fails with its source; holds the last draft. */
export function runtimeTools(): ToolLayer {
  return adding('runtime')
}

/** Layer 4: adds `inputs.channel`. Ends and fails with its source; holds the last draft. */
export function channelTools(): ToolLayer {
  return adding('channel')
}

function adding(part: 'base' | 'runtime' | 'channel'): ToolLayer {
  return layerOf(
    (inputs: ToolInputs) => [inputs[part]],
    ({ tools, inputs }) => ({ tools: withFree(tools, inputs[part]) }),
  )
}

function withFree(tools: readonly AnyTool[], added: readonly AnyTool[]): readonly AnyTool[] {
  const names = new Set(tools.map(({ name }) => name))
  const free = added.filter(({ name }) => !names.has(name) && names.add(name))
  return free.length === 0 ? tools : [...tools, ...free]
}
