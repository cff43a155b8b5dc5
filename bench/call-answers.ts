// A model that calls a tool many times, and a tool without cost, to measure the turn around them.
import { Type } from '@sinclair/typebox'
import { of } from 'rxjs'
import { compileSchema } from '../lib/streams/schema/compile-schema.ts'
import { defineTool } from '../lib/streams/tool-definition/define-tool.ts'
import type { AssistantDelta } from '../lib/streams/messages/delta.ts'
import type { Provider } from '../lib/streams/ports/provider.ts'
import { textResult } from '../lib/streams/ports/tool.ts'
import { usage } from './text-answer.ts'

const parameters = Type.Object({ path: Type.String() })
const result = textResult('The tool has done what it was asked for.')
const common = {
  name: 'look',
  description: 'Looks.',
  parameters,
  validate: compileSchema(parameters),
  sideEffectFree: true,
  capability: 'read',
} as const

/** The tool, which answers in the call itself or with a promise. */
export const lookTools = {
  synchronous: defineTool({ ...common, execute: () => of(result) }),
  asynchronous: defineTool({ ...common, execute: () => Promise.resolve(result) }),
}

export const lastAnswer: readonly AssistantDelta[] = [
  { type: 'text_start', contentIndex: 0 },
  { type: 'text_delta', contentIndex: 0, text: 'Done.' },
  { type: 'text_end', contentIndex: 0 },
  { type: 'done', stopReason: 'stop', usage },
]

/** A call in each of the first answers, then a final text. */
export function callAnswers(turns: number): Provider {
  let request = 0
  return () => of(...(request++ < turns ? callAnswer(request) : lastAnswer))
}

function callAnswer(request: number): AssistantDelta[] {
  const args = { path: `folder/file-${request}.txt` }
  return [
    { type: 'toolcall_start', contentIndex: 0, id: `call_${request}`, name: common.name },
    { type: 'toolcall_delta', contentIndex: 0, text: JSON.stringify(args) },
    { type: 'toolcall_end', contentIndex: 0, arguments: args },
    { type: 'done', stopReason: 'toolUse', usage },
  ]
}
