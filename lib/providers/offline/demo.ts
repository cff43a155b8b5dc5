// The demo model: fixed rules that answer with the tools' real results, from the messages alone and always the same.
import { defer, from } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ScriptedAnswer } from '../../streams/config/script-file.ts'
import {
  demoIntent,
  demoTurn,
  changeAnswer,
  helpAnswer,
  outputAnswer,
  readAnswer,
  unknownAnswer,
} from './demo-answers.ts'
import type { DemoIntent, DemoTurn } from './demo-answers.ts'
import { lookAnswer } from './demo-look.ts'
import { scriptedDeltas } from './message-deltas.ts'

/** UTF-16 units a delta: it streams like a model does. */
const pieceLength = 24

/** Cold and synchronous; keeps nothing between requests. */
export function demo(request: ProviderRequest): Observable<AssistantDelta> {
  return defer(() => {
    const answer = { pieceLength, ...answerTo(demoTurn(request.messages), request) }
    return from(scriptedDeltas(answer, request, request.messages.length))
  })
}

function answerTo(turn: DemoTurn, { tools }: ProviderRequest): ScriptedAnswer {
  const intent = demoIntent(turn.question)
  const missing = toolsOf(intent).filter((name) => !tools.some((tool) => tool.name === name))
  if (missing.length > 0)
    return { text: `For that I need the tool ${missing.join(' and ')}, which is not active here.` }
  switch (intent.kind) {
    case 'look':
      return lookAnswer(turn, { canRead: tools.some(({ name }) => name === 'read') })
    case 'read':
      return readAnswer(intent.path, turn)
    case 'run':
      return outputAnswer(intent.command, turn)
    case 'write':
    case 'edit':
      return changeAnswer(intent, turn)
    case 'help':
      return helpAnswer
    case 'unknown':
      return unknownAnswer
  }
}

function toolsOf({ kind }: DemoIntent): string[] {
  if (kind === 'look' || kind === 'run') return ['bash']
  return kind === 'read' || kind === 'write' || kind === 'edit' ? [kind] : []
}
