// The ask tool: asks the person a question, with answers to choose from or as a free text.
import { defer, map } from 'rxjs'
import type { Answer } from '../../streams/ports/ask.ts'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { textResult } from '../../streams/ports/tool.ts'
import type { StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { askParameters } from '../generated/parameter-validators.js'
import { argumentsValidator, AskParameters } from '../shared/parameters.ts'

/** The wait does not count in the tool's time limit. Unsubscribing takes the question back. */
export function createAskTool(): StreamTool<typeof AskParameters> {
  return defineTool({
    name: 'ask',
    description: 'Ask the person one question and wait for the answer.',
    parameters: AskParameters,
    validate: argumentsValidator(askParameters),
    sideEffectFree: true,
    mustSerial: true,
    capability: 'read', // it changes nothing
    execute: ({ question, options = [] }, { ask }) =>
      defer(() =>
        ask(options.length > 0 ? { kind: 'select', text: question, options } : { kind: 'input', text: question }),
      ).pipe(map(answerResult)),
  })
}

function answerResult({ outcome, text, by }: Answer): ToolResult {
  const details = { outcome, by }
  if (typeof outcome === 'string') {
    return textResult(`The person answered: ${outcome}${text === undefined ? '' : `\n${text}`}`, { details })
  }
  if (by === 'client') {
    const word = text === undefined ? '' : ` They said: ${text}`
    return textResult(`The person did not choose an answer.${word} Go on as you think best, or stop.`, { details })
  }
  return textResult(
    'No person can answer now. Decide yourself, take the choice that can be undone, and say what you assumed.',
    { details },
  )
}
