// Sessions to go on with: of this folder, or with Tab of all folders.
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useLoaded } from '../hooks/use-loaded.ts'
import { LoadedPicker } from './loaded-picker.tsx'
import type { PickerPlace } from './picker-place.ts'
import { sessionRow } from './session-row.ts'
import { usePickerActs } from './use-picker-acts.ts'

/** Sessions that are listed. */
const most = 5_000

export function SessionsPicker({ view, columns, height, argument }: PickerPlace): ReactElement {
  const { ui, close, show } = usePickerActs()
  const [isAll, setAll] = useState(false)
  const { cwd, env } = ui.surroundings
  const where = isAll ? { all: true } : { cwd: view.session?.cwd ?? cwd }
  const loaded = useLoaded(() => ui.request({ type: 'list_sessions', ...where, limit: most }), String(isAll))
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
