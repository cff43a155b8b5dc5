// Picker of the session's tree: choose an entry, then an action.
import { useState } from 'react'
import type { ReactElement } from 'react'
import type { Command, ResultOf } from '../../../lib/streams/commands/command.ts'
import { drawTree } from '../../text/tree-picture.ts'
import { useRequest } from '../hooks/use-request.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import type { PickerRow } from '../lists/list-state.ts'
import type { Ui } from '../contract/ui.ts'
import { askServer, notify } from '../commands/ask-server.ts'
import { changedNode, contextCommand } from './tree-actions.ts'
import type { TreeNode } from './tree-actions.ts'
import { TreeEntry } from './tree-entry.tsx'
import { usePickerActions } from './use-picker-actions.ts'

export function TreePicker(frame: PickerFrame): ReactElement {
  const { ui, close, show } = usePickerActions()
  const session = frame.view.session?.id ?? ''
  const [chosen, setChosen] = useState<TreeNode>()
  const changes = useContextChanges(ui, session)
  const loaded = useRequest(() => ui.request({ type: 'get_tree', session }), session)
  if (chosen !== undefined) {
    const back = (): void => {
      setChosen(undefined)
    }
    return <TreeEntry {...frame} session={session} node={chosen} onBack={back} />
  }
  const nodeOf = ({ key }: PickerRow): TreeNode | undefined =>
    loaded.state === 'loaded' ? changes.apply(loaded.value.entries).find(({ entryId }) => entryId === key) : undefined
  const change = (action: 'pin' | 'hide') => (row: PickerRow) => {
    const node = nodeOf(row)
    if (node !== undefined) changes.change(node, action)
  }
  const accept = (row: PickerRow): void => {
    const node = nodeOf(row)
    if (node === undefined) show(row.key)
    else setChosen(node)
  }
  return (
    <LoadedPicker
      title="Tree"
      loaded={loaded}
      rowsOf={(tree) => rowsOf({ ...tree, entries: changes.apply(tree.entries) })}
      foot="Alt-P pins · Alt-H hides"
      keys={{ 'alt+p': change('pin'), 'alt+h': change('hide') }}
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

interface ContextChanges {
  change(node: TreeNode, action: 'pin' | 'hide'): void
  /** The entries with the changes that the server has confirmed. */
  apply(entries: readonly TreeNode[]): TreeNode[]
}

/** Changes what the model receives; the list stays open, and a failure is a notice. */
function useContextChanges(ui: Ui, session: string): ContextChanges {
  const [changed, setChanged] = useState<ReadonlyMap<string, TreeNode>>(new Map())
  return {
    change: (node, action) => {
      const command = contextCommand(session, node, action)
      if (command === undefined) notify(ui, refusal[action], 'warning')
      else
        askServer<Command>(ui, command, () => {
          setChanged((before) => new Map(before).set(node.entryId, changedNode(node, command)))
        })
    },
    apply: (entries) => entries.map((node) => changed.get(node.entryId) ?? node),
  }
}

const refusal = {
  pin: 'Only your messages and answers can be pinned',
  hide: 'This entry cannot be hidden: the results of its calls would answer nothing',
}

function rowsOf(tree: ResultOf<'get_tree'>): readonly PickerRow[] {
  return drawTree(tree, Date.now()).map(({ picture, entryId, session, isAside }) => ({
    key: entryId ?? session ?? picture,
    label: picture,
    isAside,
  }))
}
