// Tells the model which phase of a scenario holds, by a note in the conversation.
// Guarantees: the system prompt keeps its bytes; a note is due until the conversation holds it.
import { EMPTY, merge, of } from 'rxjs'
import type { ContextMessage } from '../../streams/messages/context-message.ts'
import { lastNoteOf } from '../../streams/messages/last-note.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'
import type { SessionScenario } from './session-scenario.ts'

const kind = 'scenario'

/** The notes of the session with those about its phase. */
export function withPhaseNotes(
  notes: ContextNotes | undefined,
  scenario: Pick<SessionScenario, 'current' | 'rules'>,
): Pick<ContextNotes, 'due'> {
  const lastOf = lastNoteOf(kind)
  return {
    due: (messages) => {
      const others$ = notes?.due(messages)
      const update = phaseUpdate(scenario, lastOf(messages))
      return update === undefined ? others$ : merge(others$ ?? EMPTY, of(update))
    },
  }
}

function phaseUpdate(
  { current, rules }: Pick<SessionScenario, 'current' | 'rules'>,
  last: ContextMessage | undefined,
): ContextUpdate | undefined {
  const phase = rules()
  if (phase === undefined) return last === undefined || last.digest === ended ? undefined : noteOf(ended, endText)
  const content = [phaseText(phase), current()?.phase.prompt ?? ''].filter((part) => part.trim() !== '').join('\n\n')
  return content === last?.content ? undefined : noteOf(`${phase.scenario}/${phase.name}`, content)
}

function noteOf(digest: string, content: string): ContextUpdate {
  return { type: 'note', note: { kind, digest, content } }
}

const ended = 'none'

const endText = 'The scenario has ended: its phase restricts nothing any more.'

function phaseText({ scenario, name, tools, capabilities, readOnly }: NonNullable<PolicyRequest['phase']>): string {
  return [
    `The session is now in the phase "${name}" of the scenario "${scenario}".`,
    ...(readOnly === true
      ? ['Only reading is allowed: changes of files and commands that change something are refused.']
      : []),
    ...(tools === undefined ? [] : [`Only these tools may be called: ${tools.join(', ') || 'none'}.`]),
    ...(capabilities === undefined
      ? []
      : [`Only tools that do this may be called: ${capabilities.join(', ') || 'nothing'}.`]),
  ].join(' ')
}
