// Notes about skills that came, changed or went since the system prompt was built.
// Guarantees: folders are looked at when a prompt begins, not before each request (docs/decisions/0401).
import { createHash } from 'node:crypto'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Message } from '../../streams/messages/message.ts'
import type { ContextNote } from '../../streams/ports/context-notes.ts'
import type { Skill } from '../skills/parse-skill.ts'
import { skillNote, skillRemovalNote } from '../skills/skill-texts.ts'
import type { ConversationReader } from './conversation-reader.ts'

/** The skills of a session. */
export interface SkillSource {
  /** Those of the system prompt. */
  readonly inPrompt: readonly Skill[]
  /** Emits the skills once, as they are now. */
  current(): Observable<readonly Skill[]>
}

const kind = 'skill'
/** Notes of one look; the others follow at the next prompt. */
const maxNotes = 20

/** Returns a function that emits the notes which the conversation lacks; undefined between the requests of a run. */
export function skillNotes(
  { inPrompt, current }: SkillSource,
  reader: Pick<ConversationReader, 'digestOf' | 'pathsOf'>,
): (messages: readonly Message[]) => Observable<readonly ContextNote[]> | undefined {
  const first = digests(inPrompt)
  return (messages) =>
    messages.at(-1)?.role === 'toolResult' // the prompt of a run comes behind its notes
      ? undefined
      : current().pipe(map((skills) => notesOf(skills, first, reader)))
}

function notesOf(
  skills: readonly Skill[],
  first: ReadonlyMap<string, string>,
  reader: Pick<ConversationReader, 'digestOf' | 'pathsOf'>,
): ContextNote[] {
  const now = digests(skills)
  const changed = skills.flatMap((skill): ContextNote[] => {
    const { path } = skill
    const digest = now.get(path)
    const before = reader.digestOf({ kind, path }) ?? first.get(path)
    if (digest === undefined || digest === before) return []
    const isKnown = before !== undefined && before !== ''
    return [{ type: 'note', note: { kind, path, digest, content: skillNote(skill, isKnown) } }]
  })
  const gone = [...new Set([...first.keys(), ...reader.pathsOf(kind)])]
    .filter((path) => !now.has(path) && reader.digestOf({ kind, path }) !== '')
    .map((path): ContextNote => ({ type: 'note', note: { kind, path, digest: '', content: skillRemovalNote(path) } }))
  return [...changed, ...gone].slice(0, maxNotes)
}

/** By path; of the skills that models may use. The text is read at use, so the digest is that of the line. */
function digests(skills: readonly Skill[]): ReadonlyMap<string, string> {
  const forModel = skills.filter(({ isForModel }) => isForModel)
  return new Map(
    forModel.map(({ name, description, path }) => [
      path,
      createHash('sha256').update(`${name}\n${description}`).digest('hex'),
    ]),
  )
}
