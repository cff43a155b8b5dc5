// A session in a list: what it is about, how old it is, where it works, and whether it runs or waits for people.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { age } from '../../text/age.ts'
import type { PickerRow } from './picker-state.ts'
import { shortFolder } from '../../text/short-folder.ts'

export type ListedSession = ResultOf<'list_sessions'>['sessions'][number]

export interface SessionRowOptions {
  /** Unix ms. */
  readonly now: number
  /** The session that is shown. */
  readonly current: string | undefined
  /** Folders are told, this one's beginning as `~`. Absent: they are not told. */
  readonly home?: string | undefined
  readonly showsFolder: boolean
}

export function sessionRow(session: ListedSession, options: SessionRowOptions): PickerRow {
  const { id, title, firstWords, updatedAt, messages, cwd = '', damaged } = session
  const facts = [
    stateOf(session),
    id === options.current ? 'shown now' : '',
    age(updatedAt, options.now),
    messages === undefined ? '' : `${messages} messages`,
    options.showsFolder ? shortFolder(cwd, options.home) : '',
    damaged === undefined ? '' : 'damaged',
  ]
  return {
    key: id,
    label: title ?? firstWords ?? '(no prompt)',
    mark: session.live?.asking ? '?' : session.live?.running === true ? '▶' : ' ',
    hint: facts.filter((fact) => fact !== '').join(' · '),
  }
}

function stateOf({ live }: ListedSession): string {
  if (live === undefined) return ''
  if (live.asking > 0) return 'waits for your answer'
  return live.running ? 'running' : ''
}
