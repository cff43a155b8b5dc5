// Lets an extension draw an event. A renderer that fails is a fault, and draws nothing.
import { map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AnyRenderer, RenderedResult } from '../../extensions/api/extension-ui.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { checkNodes } from '../../streams/commands/render-commands.ts'
import type { RenderedEvent } from '../../streams/commands/render-commands.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { HookAnswer } from '../../streams/ports/hooks.ts'
import { Failure } from '../../streams/values/failure.ts'
import { callGuarded } from './run-extension-hooks.ts'

/** Milliseconds that a renderer may take. */
const renderLimitMs = 2_000

/** Emits once; without nodes if no extension draws the event, or it fails. */
export function renderEvent(set: ExtensionSet, event: AgentEvent): Observable<RenderedEvent> {
  for (const { owner, end$, value } of set.contributions.renderers.entries) {
    const drawing = drawingOf(value, event)
    if (drawing === undefined) continue
    const name = `the renderer of ${drawing.name}`
    return callGuarded(set, { owner, end$, name, limitMs: renderLimitMs }, drawing.draw).pipe(
      map((answer): RenderedEvent => {
        if (answer === undefined) return {}
        const nodes = checkNodes(answer)
        if (typeof nodes !== 'string') return { extension: owner, nodes }
        set.faults.report(owner, name, new Failure('bad_request', nodes))
        return {}
      }),
    )
  }
  return of({})
}

interface Drawing {
  readonly name: string
  draw(): HookAnswer<unknown>
}

/** Undefined if the renderer does not draw such an event. It gets a copy: what it changes stays with it. */
function drawingOf(renderer: AnyRenderer, event: AgentEvent): Drawing | undefined {
  if (renderer.customType !== undefined) {
    const { customType: name } = renderer
    if (event.type !== 'custom' || event.customType !== name) return undefined
    return { name, draw: () => renderer.render(structuredClone(event.data)) }
  }
  if (renderer.tool !== undefined) {
    const result = resultOf(event, renderer.tool)
    return result && { name: renderer.tool, draw: () => renderer.render(structuredClone(result)) }
  }
  if (event.type !== 'message_end' || event.message.role !== renderer.message) return undefined
  return { name: `${renderer.message} messages`, draw: () => renderer.render(structuredClone(event.message)) }
}

/** The end of a call and the message of its result say the same. */
function resultOf(event: AgentEvent, tool: string): RenderedResult | undefined {
  const result = event.type === 'message_end' ? event.message : event
  if (!('toolCallId' in result) || !('isError' in result) || result.toolName !== tool) return undefined
  const { toolCallId, content, details, isError } = result
  return { toolCallId, content, isError, ...(details === undefined ? {} : { details }) }
}
