// Picker of the session's tree: choose an entry, then an action.
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { drawTree } from '../../text/tree-picture.ts'
import { useRequest } from '../hooks/use-request.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import type { PickerRow } from '../lists/list-state.ts'
import type { TreeNode } from './tree-actions.ts'
import { TreeEntry } from './tree-entry.tsx'
import { usePickerActions } from './use-picker-actions.ts'

export function TreePicker(frame: PickerFrame): ReactElement {
  const { ui, close, show } = usePickerActions()
  const session = frame.view.session?.id ?? ''
  const [chosen, setChosen] = useState<TreeNode>()
  const loaded = useRequest(() => ui.request({ type: 'get_tree', session }), session)
  if (chosen !== undefined) {
    const back = (): void => {
      setChosen(undefined)
    }
    return <TreeEntry {...frame} session={session} node={chosen} onBack={back} />
  }
  const accept = ({ key }: PickerRow): void => {
    const entries = loaded.state === 'loaded' ? loaded.value.entries : []
    const node = entries.find(({ entryId }) => entryId === key)
    if (node === undefined) show(key)
    else setChosen(node)
  }
  return (
    <LoadedPicker
      title="Tree"
      loaded={loaded}
      rowsOf={rowsOf}
      initialOf={({ headEntryId }) => headEntryId ?? undefined}
      columns={frame.columns}
      height={frame.height}
      query={frame.argument ?? ''}
      keepsOrder
      empty="There are no entries yet"
      onCancel={close}
      onAccept={accept}
    />
  )
}

function rowsOf(tree: ResultOf<'get_tree'>): readonly PickerRow[] {
  return drawTree(tree, Date.now()).map(({ picture, entryId, session, isAside }) => ({
    key: entryId ?? session ?? picture,
    label: picture,
    isAside,
  }))
}
