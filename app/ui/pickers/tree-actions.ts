// Lists the actions at an entry of the tree, and the choices before files are restored.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { PickerRow } from '../lists/list-state.ts'
import type { PickerFrame } from './use-picker-actions.ts'

export type TreeNode = ResultOf<'get_tree'>['entries'][number]
export type TreeAction = 'go' | 'again' | 'files' | 'summary' | 'copy' | 'label'

const actionTable: readonly { readonly key: TreeAction; readonly label: string; readonly hint: string }[] = [
  { key: 'again', label: 'Edit and ask again', hint: 'goes back before it; its text returns to the editor' },
  { key: 'go', label: 'Continue from here', hint: 'conversation only; files stay' },
  { key: 'files', label: 'Continue from here and restore files', hint: 'shows the changes first' },
  { key: 'summary', label: 'Continue from here with a summary', hint: 'the model summarises the branch that is left' },
  { key: 'copy', label: 'Copy to a new session from here', hint: 'this session does not change' },
  { key: 'label', label: 'Label this entry', hint: '' },
]

export function treeActions({ role, isHead }: TreeNode): readonly PickerRow[] {
  const fits = ({ key }: { readonly key: TreeAction }): boolean => {
    if (key === 'again') return role === 'user'
    return isHead ? key !== 'go' && key !== 'summary' : true
  }
  return actionTable.filter(fits)
}

type DryRun = Pick<ResultOf<'branch_session'>, 'changes' | 'conflicts' | 'kept'>

/** Maximum of paths on a row. */
const maxNamedFiles = 4

/** Choices after the dry run; no is the first. */
export function restoreRows({ changes = [], conflicts = [], kept: skipped = [] }: DryRun): readonly PickerRow[] {
  const no: PickerRow = { key: 'no', label: 'No, change nothing' }
  const talk: PickerRow = { key: 'go', label: 'Continue from here; files stay as they are' }
  if (changes.length === 0) return [no, { ...talk, hint: 'no file has changed since' }]
  const words = { replace: 'restore', create: 'recreate', remove: 'remove' } as const
  const named = changes.slice(0, maxNamedFiles).map(({ path, change }) => `${words[change]} ${path}`)
  const more = changes.length > maxNamedFiles ? ` and ${changes.length - maxNamedFiles} more` : ''
  const stays = skipped.length === 0 ? '' : ` · ${skipped.length} cannot be restored`
  const yes: PickerRow =
    conflicts.length === 0
      ? { key: 'yes', label: `Yes: ${named.join(', ')}${more}`, hint: stays }
      : {
          key: 'force',
          label: `Yes, and overwrite the changes of others in ${conflicts
            .map(({ path }) => path)
            .slice(0, maxNamedFiles)
            .join(', ')}`,
          mark: '!',
          hint: `${changes.length} files${stays}`,
        }
  return [no, talk, yes]
}

// Props of the components that act on an entry; `onBack` returns to the tree.

export interface TreeEntryProps extends PickerFrame {
  readonly session: string
  readonly node: TreeNode
  readonly onBack: () => void
}
