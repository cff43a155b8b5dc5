// Notes about facts of the system prompt that have changed since: the day and the branch.
import { gitBranch } from '../../host/files/git-branch.ts'
import { repositoryRoot } from '../../host/files/repository-root.ts'
import type { ContextNote } from '../../streams/ports/context-notes.ts'
import { formatDay } from '../prompt/build-sections.ts'
import type { ConversationReader } from './conversation-reader.ts'

export interface FactOptions {
  readonly cwd: string
  /** The day of the system prompt. */
  readonly startedAt: Date
  /** The branch of the system prompt. */
  readonly branch?: string | undefined
  /** Default: the system's clock. */
  readonly now?: () => Date
}

/** Returns the notes that the conversation lacks. */
export function factNotes({
  cwd,
  startedAt,
  branch: promptBranch = '',
  now = () => new Date(),
}: FactOptions): (reader: Pick<ConversationReader, 'digestOf'>) => readonly ContextNote[] {
  const firstDay = formatDay(startedAt)
  const root = repositoryRoot(cwd)
  return (reader) => {
    const day = formatDay(now())
    const branch = gitBranch(cwd, root) ?? ''
    return [
      ...note(reader.digestOf({ kind: 'date' }) ?? firstDay, 'date', day, `The date is now ${day}.`),
      ...note(reader.digestOf({ kind: 'branch' }) ?? promptBranch, 'branch', branch, `The branch is now ${branch}.`),
    ]
  }
}

/** A branch that cannot be read is no news. */
function note(known: string, kind: string, digest: string, content: string): ContextNote[] {
  return digest === '' || digest === known ? [] : [{ type: 'note', note: { kind, digest, content } }]
}
