// Lists the actions at an entry of the tree, and the choices before files are restored.
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import type { PickerRow } from '../lists/list-state.ts'
import type { PickerFrame } from './use-picker-actions.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

export type TreeNode = ResultOf<'get_tree'>['entries'][number]
export type TreeAction = 'go' | 'again' | 'files' | 'summary' | 'copy' | 'label' | 'read' | 'pin' | 'hide' | 'replace'

const actionTable: readonly { readonly key: TreeAction; readonly label: string; readonly hint: string }[] = [
  { key: 'again', label: 'Edit and ask again', hint: 'goes back before it; its text returns to the editor' },
  { key: 'go', label: 'Continue from here', hint: 'conversation only; files stay' },
  { key: 'files', label: 'Continue from here and restore files', hint: 'shows the changes first' },
  { key: 'summary', label: 'Continue from here with a summary', hint: 'the model summarises the branch that is left' },
  { key: 'copy', label: 'Copy to a new session from here', hint: 'this session does not change' },
  { key: 'label', label: 'Label this entry', hint: '' },
  { key: 'read', label: 'Read it whole', hint: '' },
  { key: 'pin', label: 'Pin it', hint: 'it stays when the conversation is summarised' },
  { key: 'hide', label: 'Hide it from the model', hint: 'the log keeps it' },
  { key: 'replace', label: 'Replace its text for the model', hint: 'the log keeps its own' },
]

const unpin: PickerRow = { key: 'pin', label: 'Unpin it', hint: 'a summary may stand for it again' }
const restore: PickerRow = {
  key: 'hide',
  label: 'Give it to the model as it is',
  hint: 'not hidden or replaced any more',
}

export function treeActions(node: TreeNode): readonly PickerRow[] {
  const { role, isHead, pinned } = node
  const fits = ({ key }: { readonly key: TreeAction }): boolean => {
    if (key === 'again') return role === 'user'
    if (key === 'pin') return pinned === true || canPin(node)
    if (key === 'hide') return isEdited(node) || canHide(node)
    if (key === 'replace') return editable.has(role)
    return isHead ? key !== 'go' && key !== 'summary' : true
  }
  return actionTable.filter(fits).map((row) => {
    if (row.key === 'pin' && pinned === true) return unpin
    return row.key === 'hide' && isEdited(node) ? restore : row
  })
}

const editable: ReadonlySet<string> = new Set(['user', 'assistant', 'toolResult'])

function canPin({ role }: TreeNode): boolean {
  return role === 'user' || role === 'assistant'
}

/** The results of an answer's calls would answer nothing without it. */
function canHide({ role, tools = [] }: TreeNode): boolean {
  return editable.has(role) && (role !== 'assistant' || tools.length === 0)
}

export function isEdited({ received }: TreeNode): boolean {
  return received === 'hidden' || received === 'replaced'
}

type ContextCommand = CommandNamed<'context_pin' | 'context_edit'>

/** Pins or unpins; hides or restores. Undefined if the entry does not allow it. */
export function contextCommand(session: string, node: TreeNode, action: 'pin' | 'hide'): ContextCommand | undefined {
  const { entryId, pinned = false } = node
  if (action === 'pin')
    return pinned || canPin(node) ? { type: 'context_pin', session, entryId, pinned: !pinned } : undefined
  if (isEdited(node)) return { type: 'context_edit', session, entryId }
  return canHide(node) ? { type: 'context_edit', session, entryId, hide: true } : undefined
}

/** The entry as the tree shows it after the command. */
export function changedNode(node: TreeNode, command: ContextCommand): TreeNode {
  const { pinned: _, received: __, ...rest } = node
  if (command.type === 'context_pin')
    return { ...rest, ...(node.received && { received: node.received }), ...(command.pinned ? { pinned: true } : {}) }
  const received = command.hide === true ? 'hidden' : command.text === undefined ? undefined : 'replaced'
  return { ...rest, ...(node.pinned && { pinned: node.pinned }), ...(received && { received }) }
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
  const stays = skipped.length === 0 ? [] : [`${skipped.length} cannot be restored`]
  const yes: PickerRow =
    conflicts.length === 0
      ? { key: 'yes', label: `Yes: ${named.join(', ')}${more}`, hint: stays.join('') }
      : {
          key: 'force',
          label: `Yes, and overwrite the changes of others in ${conflicts
            .map(({ path }) => path)
            .slice(0, maxNamedFiles)
            .join(', ')}`,
          mark: '!',
          hint: [countOf(changes.length, 'file'), ...stays].join(' · '),
        }
  return [no, talk, yes]
}

/** Props of the components that act on an entry; `onBack` returns to the tree. */
export interface TreeEntryProps extends PickerFrame {
  readonly session: string
  readonly node: TreeNode
  readonly onBack: () => void
}
