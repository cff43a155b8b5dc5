// What is done at an entry is done in its session, and there is a way back to the tree.
import type { PickerPlace } from './picker-place.ts'
import type { TreeNode } from './tree-actions.ts'

export interface TreeEntryProps extends PickerPlace {
  readonly session: string
  readonly node: TreeNode
  readonly onBack: () => void
}
