// The tools of the situations: what they do is seen in the course, and none of them looks at a clock.
import type { ScriptedTool } from './situation.ts'

const text: ScriptedTool['parameters'] = (types) => types.Object({ text: types.Optional(types.String()) })

/** Gives its text back. */
export const echo: ScriptedTool = {
  name: 'echo',
  parameters: text,
  run: ({ args }) => Promise.resolve(textOf(args)),
}

/** Ends when the gate of its call's id is opened. */
export const gated: ScriptedTool = {
  name: 'gated',
  parameters: text,
  run: async ({ id, gate }) => {
    await gate(id)
    return `${id} done`
  },
}

/** Takes numbers and lists, as models like to send them otherwise. */
export const add: ScriptedTool = {
  name: 'add',
  parameters: (types) =>
    types.Object({
      numbers: types.Array(types.Number()),
      round: types.Optional(types.Boolean()),
      unit: types.Optional(types.String()),
    }),
  run: ({ args }) => Promise.resolve(JSON.stringify(args)),
}

/** Throws its text. */
export const breaks: ScriptedTool = {
  name: 'breaks',
  parameters: text,
  run: ({ args }) => Promise.reject(new Error(textOf(args))),
}

/** Asks for the run's end. */
export const finish: ScriptedTool = {
  name: 'finish',
  parameters: text,
  run: ({ args }) => Promise.resolve({ text: textOf(args), terminate: true }),
}

function textOf(args: Readonly<Record<string, unknown>>): string {
  const { text: given } = args
  return typeof given === 'string' ? given : ''
}
