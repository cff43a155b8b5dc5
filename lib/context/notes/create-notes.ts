// Tells the model what has changed since the system prompt: facts, instruction files, skills.
import { lstatSync } from 'node:fs'
import { BehaviorSubject, EMPTY, concat, defer, from, isObservable, map, mergeMap, of } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import { instructionFolders } from '../instructions/instruction-set.ts'
import type { GuardedFolder, InstructionFolders, InstructionSet } from '../instructions/instruction-set.ts'
import { instructionNote, removalNote } from '../instructions/instruction-text.ts'
import { touchedFolders, withoutIgnored } from '../instructions/nested-folders.ts'
import { instructions$ } from '../instructions/watch-instructions.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { conversationReader } from './conversation-reader.ts'
import type { ConversationReader } from './conversation-reader.ts'
import { factNotes } from './fact-notes.ts'
import type { FactOptions } from './fact-notes.ts'
import { skillNotes } from './skill-notes.ts'
import type { SkillSource } from './skill-notes.ts'

export interface ContextNotesOptions extends FactOptions {
  /** The user's configuration folder. Default: none is read. */
  readonly configFolder?: string
  /** The instruction files of the system prompt. Absent: none are read at all. */
  readonly inPrompt?: InstructionSet
  /** Default: none are looked for. */
  readonly skills?: SkillSource | undefined
}

/** Watches from the first request on; reads nested files when a tool call names their folder. */
export function contextNotes({ inPrompt, configFolder, skills, ...facts }: ContextNotesOptions): ContextNotes {
  const reader = conversationReader()
  const factsDue = factNotes(facts)
  const dueSkills$ = skills === undefined ? undefined : skillNotes(skills, reader)
  const files = inPrompt === undefined ? undefined : instructionNotes(inPrompt, reader, facts.cwd, configFolder)
  return {
    due: (messages) => {
      if (reader.read(messages)) files?.forget()
      const due = factsDue(reader)
      const filesDue$ = files?.due() ?? []
      const skillsDue$ = dueSkills$?.(messages) ?? EMPTY
      if (isObservable(filesDue$) || skillsDue$ !== EMPTY)
        return concat(of(due), isObservable(filesDue$) ? filesDue$ : of(filesDue$), skillsDue$).pipe(
          mergeMap((updates) => updates),
        )
      const all: readonly ContextUpdate[] = [...due, ...filesDue$]
      return all.length === 0 ? undefined : from(all)
    },
    close: () => files?.close(),
  }
}

type Due = readonly ContextUpdate[] | Observable<readonly ContextUpdate[]>

function instructionNotes(inPrompt: InstructionSet, reader: ConversationReader, cwd: string, configFolder?: string) {
  const folders = instructionFolders(cwd, configFolder)
  const nested$ = new BehaviorSubject<readonly GuardedFolder[]>([])
  const chain = folders.chain.map(({ folder }) => folder)
  let known = new Set(chain)
  const reported = new Set<string>()
  /** Not emitted yet: a stop of the run ends the look at nested folders. */
  let opening = inPrompt.files.map(promptUpdate)
  let touched: readonly string[] = []
  let current = inPrompt
  let watching: Subscription | undefined
  const start = (): void => {
    const options = { cwd, nested$, ...(configFolder === undefined ? {} : { configFolder }) }
    watching = instructions$(options).subscribe((next) => (current = next))
  }
  const updates = (): ContextUpdate[] => {
    const all = current === inPrompt ? inPrompt.problems : [...inPrompt.problems, ...current.problems]
    const problems = all.filter(({ message }) => !reported.has(message) && reported.add(message))
    const first = opening
    opening = []
    return [...first, ...problems, ...fileNotes(inPrompt, current, reader)]
  }
  return {
    due: (): Due => {
      if (watching === undefined) start()
      const calls = [...reader.takeArguments(), ...reader.pathsOf('instructions').map((path) => ({ path }))]
      touched = [...touched, ...touchedFolders(calls, cwd, folders, known)]
      if (touched.length === 0) return updates()
      return nestedFolders$(touched, folders).pipe(
        map((found) => {
          touched = []
          if (found.length > 0) nested$.next([...nested$.value, ...found])
          return updates()
        }),
      )
    },
    /** The conversation is another one: what its calls touch is looked at again. */
    forget: () => {
      known = new Set(chain)
      touched = []
      if (nested$.value.length > 0) nested$.next([])
    },
    close: () => watching?.unsubscribe(),
  }
}

function nestedFolders$(touched: readonly string[], { root }: InstructionFolders) {
  return defer(() => fromAbortable(() => withoutIgnored(touched, root)))
}

function promptUpdate({ path, digest, text }: InstructionSet['files'][number]): ContextUpdate {
  return { type: 'in_prompt', added: { kind: 'instructions', path, digest, text } }
}

/** A file that was refused or left out for lack of room is still there. */
function isGone(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** New and changed files, then those that are gone. */
function fileNotes(inPrompt: InstructionSet, current: InstructionSet, reader: ConversationReader): ContextUpdate[] {
  const kind = 'instructions'
  const first = new Map(inPrompt.files.map(({ path, digest }) => [path, digest]))
  const now = new Set(current.files.map(({ path }) => path))
  const changed = current.files.flatMap((file): ContextUpdate[] => {
    const { path, digest } = file
    const before = reader.digestOf({ kind, path }) ?? first.get(path)
    if (before === digest) return []
    const isKnown = before !== undefined && before !== ''
    return [{ type: 'note', note: { kind, path, digest, content: instructionNote(file, isKnown) } }]
  })
  const gone = [...new Set([...first.keys(), ...reader.pathsOf(kind)])].filter(
    (path) => !now.has(path) && reader.digestOf({ kind, path }) !== '' && isGone(path),
  )
  return [
    ...changed,
    ...gone.map((path): ContextUpdate => ({
      type: 'note',
      note: { kind, path, digest: '', content: removalNote(path) },
    })),
  ]
}
