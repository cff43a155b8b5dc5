// Picker of a session to continue: of this folder, or with Tab of all folders.
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useRequest } from '../hooks/use-request.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import { usePickerActions } from './use-picker-actions.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { formatAge } from '../../text/age.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { shortenFolder } from '../../text/short-folder.ts'

/** Maximum of listed sessions. */
const most = 5_000

export function SessionsPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, close, show } = usePickerActions()
  const [isAll, setAll] = useState(false)
  const { cwd, env } = ui.surroundings
  const where = isAll ? { all: true } : { cwd: view.session?.cwd ?? cwd }
  const loaded = useRequest(() => ui.request({ type: 'list_sessions', ...where, limit: most }), String(isAll))
  const options = { now: Date.now(), current: view.session?.id, home: env['HOME'], showsFolder: isAll }
  return (
    <LoadedPicker
      key={String(isAll)}
      title={isAll ? 'Sessions of all folders' : 'Sessions of this folder'}
      loaded={loaded}
      rowsOf={({ sessions }) => sessions.map((session) => sessionRow(session, options))}
      columns={columns}
      height={height}
      query={argument ?? ''}
      empty="There are no sessions yet"
      foot={isAll ? 'Tab: this folder' : 'Tab: all folders'}
      onComplete={() => {
        setAll(!isAll)
      }}
      onCancel={close}
      onAccept={({ key }) => {
        show(key)
      }}
    />
  )
}

// Formats a session as a row: title, age, folder, state.

export type ListedSession = ResultOf<'list_sessions'>['sessions'][number]

interface SessionRowOptions {
  /** Unix ms. */
  readonly now: number
  /** The current session. */
  readonly current: string | undefined
  /** Home folder, shown as `~`. Absent: folders are not shown. */
  readonly home?: string | undefined
  readonly showsFolder: boolean
}

export function sessionRow(session: ListedSession, options: SessionRowOptions): PickerRow {
  const { id, title, firstWords, updatedAt, messages, cwd = '', damaged } = session
  const facts = [
    stateOf(session),
    id === options.current ? 'current' : '',
    formatAge(updatedAt, options.now),
    messages === undefined ? '' : `${messages} messages`,
    options.showsFolder ? shortenFolder(cwd, options.home) : '',
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
