// Picker of the active tools: Enter switches one, the list stays open.
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { useRequest } from '../hooks/use-request.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { usePickerActions } from './use-picker-actions.ts'

type Tools = ResultOf<'list_tools'>['tools']

export function ToolsPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, close } = usePickerActions()
  const session = view.session?.id ?? ''
  const [changes, setChanges] = useState(0)
  const [at, setAt] = useState<string>()
  const loaded = useRequest(() => ui.request({ type: 'list_tools', session }), `${session} ${changes}`)
  const toggle = (tools: Tools, name: string): void => {
    const next = tools.filter((tool) => (tool.name === name ? !tool.active : tool.active)).map((tool) => tool.name)
    setAt(name)
    ui.request({ type: 'set_active_tools', session, tools: next }).subscribe({
      next: () => {
        setChanges((count) => count + 1)
      },
      error: (thrown: unknown) => {
        ui.input(failureNotice(thrown))
      },
    })
  }
  return (
    <LoadedPicker
      title="Tools"
      loaded={loaded}
      rowsOf={({ tools }) => tools.map(rowOf)}
      initialOf={() => at}
      columns={columns}
      height={height}
      query={argument ?? ''}
      keepsOrder
      empty="This session has no tools"
      foot="● on, ○ off"
      onCancel={close}
      onAccept={({ key }) => {
        if (loaded.state === 'loaded') toggle(loaded.value.tools, key)
      }}
    />
  )
}

function rowOf({ name, description, capability, active }: Tools[number]): PickerRow {
  return {
    key: name,
    label: name,
    mark: active ? '●' : '○',
    hint: `may ${capability} · ${description}`,
    isAside: !active,
  }
}
