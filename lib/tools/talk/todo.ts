// The todo tool: replaces the session's plan and shows it to the person.
import { of } from 'rxjs'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { errorResult, textResult } from '../../streams/ports/tool.ts'
import type { StreamTool } from '../../streams/ports/tool.ts'
import { todoParameters } from '../generated/parameter-validators.js'
import { argumentsValidator, TodoParameters } from '../shared/parameters.ts'

/** Items of one plan. */
const maxItems = 200
const marks = { pending: '[ ]', in_progress: '[>]', done: '[x]', dropped: '[-]' } as const

/** One `plan_update` a call. An item without an id gets the lowest free number. */
export function createTodoTool(): StreamTool<typeof TodoParameters> {
  return defineTool({
    name: 'todo',
    description: 'Replace the plan that the person sees: send every item, one in_progress at a time.',
    parameters: TodoParameters,
    validate: argumentsValidator(todoParameters),
    sideEffectFree: true,
    mustSerial: true,
    capability: 'read', // it changes nothing but the plan on the screen
    execute: ({ items }, { plan }) => {
      if (items.length > maxItems) return of(errorResult(`A plan has at most ${maxItems} items.`))
      const named = withIds(items)
      const ids = new Set(named.map(({ id }) => id))
      if (ids.size < named.length) return of(errorResult('Two items have the same id.'))
      plan?.(named)
      const lines = named.map(({ id, text, state }) => `${marks[state]} ${id}. ${text}`)
      return of(textResult(lines.length === 0 ? 'The plan is empty.' : lines.join('\n'), { details: { items: named } }))
    },
  })
}

function withIds(items: TodoParameters['items']) {
  const taken = new Set(items.map(({ id }) => id))
  let next = 1
  return items.map(({ id, text, state }) => {
    if (id !== undefined && id !== '') return { id: id.slice(0, 64), text, state }
    while (taken.has(String(next))) next += 1
    taken.add(String(next))
    return { id: String(next), text, state }
  })
}
