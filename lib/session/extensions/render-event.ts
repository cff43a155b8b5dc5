// Lets an extension draw a custom event. A renderer that fails is a fault, and draws nothing.
import { map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { checkNodes } from '../../streams/commands/render-commands.ts'
import type { RenderedEvent } from '../../streams/commands/render-commands.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { callGuarded } from './run-extension-hooks.ts'

/** Milliseconds that a renderer may take. */
const renderLimitMs = 2_000

/** Emits once; without nodes if no extension draws the event, or it fails. */
export function renderEvent(set: ExtensionSet, { customType, data }: EventNamed<'custom'>): Observable<RenderedEvent> {
  const entry = set.contributions.renderers.entries.find(({ value }) => value.customType === customType)
  if (entry === undefined) return of({})
  const { owner, end$, value } = entry
  const name = `the renderer of ${customType}`
  return callGuarded(set, { owner, end$, name, limitMs: renderLimitMs }, () =>
    value.render(structuredClone(data)),
  ).pipe(
    map((answer): RenderedEvent => {
      if (answer === undefined) return {}
      const nodes = checkNodes(answer)
      if (typeof nodes !== 'string') return { extension: owner, nodes }
      set.faults.report(owner, name, new Failure('bad_request', nodes))
      return {}
    }),
  )
}
