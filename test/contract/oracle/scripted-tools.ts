// The tools of the situations: their effects are lines of the trace, without a clock.
import type { ScriptedTool } from './situation.ts'

const text: ScriptedTool['parameters'] = (types) => types.Object({ text: types.Optional(types.String()) })

/** Returns its text. */
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

/** Accepts numbers and lists, which models often send in another form. */
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

/** Requests the end of the run. */
export const finish: ScriptedTool = {
  name: 'finish',
  parameters: text,
  run: ({ args }) => Promise.resolve({ text: textOf(args), terminate: true }),
}

function textOf(args: Readonly<Record<string, unknown>>): string {
  const { text: input } = args
  return typeof input === 'string' ? input : ''
}
