// A to-do list that the model and you share: a tool, a command, a section of the system prompt. The list lives in the results
// of the tool, so that it is right after a restart, /undo and a branch. A folder with two modules; install:
//   cp -r examples/extensions/todo ~/.config/rxpi/extensions/ && rxpi extensions trust todo-list
import { Type } from '@sinclair/typebox'
import { defineExtension, defineTool, errorResult, textResult, transcript } from 'rxpi'
import { promptSection } from 'rxpi/operators'
import { applyChange, describe } from './todo-list.ts'
import type { Change, Item } from './todo-list.ts'

const name = 'todo_list'

export default defineExtension({
  name: 'todo-list',
  version: '1.0.0',
  capabilities: ['read', 'session'],
  setup({ tools, commands, hooks, context, session, ui }) {
    /** The list of the last result on the way to the head of the conversation. */
    const items = (): readonly Item[] => {
      const state = session.state()
      const results = state === undefined ? [] : transcript(state).filter((message) => message.role === 'toolResult')
      const last = results.findLast(({ toolName, isError }) => toolName === name && !isError)
      return (last?.details as { items: readonly Item[] } | undefined)?.items ?? []
    }
    const status = (list = items()): void =>
      ui.status(list.length === 0 ? undefined : `${list.filter(({ done }) => !done).length} to do`)

    tools.register(
      defineTool({
        name,
        description: 'Reads or changes the to-do list that you share with the user',
        parameters: Type.Object({
          action: Type.Union([Type.Literal('list'), Type.Literal('add'), Type.Literal('toggle')]),
          text: Type.Optional(Type.String({ description: 'of the new item' })),
          id: Type.Optional(Type.Integer({ description: 'of the item that is done, or not done any more' })),
        }),
        capability: 'read', // it changes no file
        mustSerial: true, // two changes in one turn: one after the other
        execute: ({ action, text = '', id = 0 }) => {
          try {
            const change: Change = action === 'add' ? { action, text } : { action: 'toggle', id }
            pending = action === 'list' ? (pending ?? items()) : applyChange(pending ?? items(), change)
            status(pending)
            return textResult(describe(pending), { details: { items: pending } })
          } catch (error) {
            return errorResult(error instanceof Error ? error.message : String(error))
          }
        },
      }),
    )
    // the results of a turn join the conversation together: until then the list is here
    let pending: readonly Item[] | undefined
    hooks.on('turn_start', () => {
      pending = undefined
    })
    hooks.on('session_start', () => status())
    hooks.on('branch', () => status())

    context.sections(promptSection('todo', 'Keep the to-do list of the user up to date with the tool todo_list.'))
    commands.register({ name: 'todos', description: 'Shows the to-do list', run: () => describe(items()) })
    commands.register({
      name: 'work',
      description: 'Lets the model do the next item of the to-do list',
      run: () => {
        const next = items().find(({ done }) => !done)
        return next === undefined
          ? 'Nothing is left to do'
          : { prompt: `Do this, then toggle it: ${next.id}. ${next.text}` }
      },
    })
  },
})
