// Words what an undo did to the files, or whose edits it would lose.
import type { ResultOf } from '../../lib/streams/commands/command.ts'

export type UndoPlan = Pick<ResultOf<'undo'>, 'headEntryId' | 'changes' | 'conflicts' | 'kept' | 'paths'>

/** As the server words it. */
const ownEdit = 'it was changed, but not by the agent'
const verbs = { remove: 'removed', replace: 'restored', create: 'brought back' } as const
/** Files of a list. */
const maxNamed = 5

/** `Undone: removed new.txt, restored greet.js`, with the files that stay. */
export function undoneText(
  { changes = [] }: Partial<UndoPlan>,
  { paths = [], kept: skipped = [] }: Partial<UndoPlan>,
): string {
  const done = changes.filter(({ path }) => paths.includes(path))
  const parts = (['remove', 'replace', 'create'] as const).flatMap((kind) => {
    const files = done.filter(({ change }) => change === kind).map(({ path }) => path)
    return files.length === 0 ? [] : [`${verbs[kind]} ${listFiles(files)}`]
  })
  const left = skipped.map(({ path, reason }) => `\n${path} stays: ${reason}`).join('')
  return `Undone: ${parts.length === 0 ? 'no file had changed' : parts.join(', ')}${left}`
}

/**
 * `Not undone: you edited greet.js since. /undo force throws your edit away.`
 * @param force what the user types to overwrite the edits
 */
export function refusalText({ conflicts = [] }: Partial<UndoPlan>, force: string): string {
  const isEdited = conflicts.every(({ reason }) => reason === ownEdit)
  const files = conflicts.map(({ path }) => path)
  const edits = conflicts.length === 1 ? 'your edit' : 'your edits'
  if (isEdited) return `Not undone: you edited ${listFiles(files)} since. ${force} throws ${edits} away.`
  const named = conflicts.slice(0, maxNamed).map(({ path, reason }) => `${path} (${reason})`)
  return `Not undone: ${listFiles(named, conflicts.length)}. ${force} overwrites ${files.length === 1 ? 'it' : 'them'}.`
}

function listFiles(files: readonly string[], all = files.length): string {
  const named = files.slice(0, maxNamed).join(', ')
  return all > maxNamed ? `${named} and ${all - maxNamed} more` : named
}
