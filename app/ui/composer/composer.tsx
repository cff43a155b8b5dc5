// Input area: turns keys into edits, actions and submissions.
// The props define what a submission does.
import { Box, Text } from 'ink'
import { useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { CompletionList } from '../completion/completion-list.tsx'
import { useCompletion } from '../completion/use-completion.ts'
import type { FindSuggestions } from '../completion/completion.ts'
import { useTheme } from '../hooks/use-theme.ts'
import type { ActionName } from '../keys/actions.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { pressKey } from '../keys/press-key.ts'
import type { KeyState } from '../keys/press-key.ts'
import { keysOf } from '../keys/keymap.ts'
import type { Keymap } from '../keys/keymap.ts'
import { keyLabel } from '../keys/key-name.ts'
import { useKeymap, useKeys } from '../keys/use-keys.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { editOf } from '../editor/edit-text.ts'
import { Editor, promptWidth } from '../editor/editor.tsx'
import { editorHint } from './editor-hint.ts'
import type { EditorHandle } from '../editor/editor-handle.ts'
import { useEditor } from '../editor/editor-handle.ts'
import { HistorySearch } from './history-search.tsx'
import { historyEntry } from '../editor/prompt-history.ts'
import type { HistoryEntry } from '../editor/prompt-history.ts'
import type { PasteReader } from '../editor/paste-reader.ts'
import { useDrafts } from './use-drafts.ts'
import { useHint } from './use-hint.ts'
import { useQueueEditing } from './use-queue-editing.ts'
import type { QueuedEditing, QueuedText } from './use-queue-editing.ts'
import type { Unit } from '../editor/unit.ts'
import type { Draft } from '../view/view.ts'

export interface ComposerProps {
  /** Inserted before the text, each once. */
  readonly drafts: readonly Draft[]
  readonly onDraftsTaken: (revision: number) => void
  /** False while an overlay has the keys: draws nothing and keeps the text. */
  readonly isActive: boolean
  /** Cells; at least 20. */
  readonly columns: number
  /** Maximum of rows of text. */
  readonly rows: number
  /** Maximum of rows of the completion. */
  readonly listRows: number
  /** Draws a rule above and below the text. */
  readonly hasRules: boolean
  /** A run, or a shell command of the user, can be stopped. */
  readonly isRunning: boolean
  /** It is being stopped. Default: false. */
  readonly isStopping?: boolean
  /** The queued input that is being edited; absent: a new input. */
  readonly queued?: QueuedText | undefined
  /** Shown if the editor is empty. */
  readonly placeholder: string
  readonly history: { entries(): readonly HistoryEntry[]; add(entry: HistoryEntry): void }
  readonly readPaste: PasteReader
  readonly findSuggestions: FindSuggestions
  /** Returns false if the input could not be sent: the text stays. */
  onSend(units: readonly Unit[], how: 'steer' | 'follow_up'): boolean
  /** Opens the text in an external editor; the result comes through `edit`. */
  onExternalEditor(editor: EditorHandle): void
  onAction(action: ActionName): void
  /** Called with a key that has no action. */
  onExtensionKey?(key: string): void
  /** Replaces the queued input, removes it if empty, or leaves it if undefined. Returns false like `onSend`. */
  onQueued?(units: readonly Unit[] | undefined): boolean
}

/** Takes rows for hints and rules besides the text. */
export function Composer(props: ComposerProps): ReactElement {
  const { drafts, isActive, columns, rows, hasRules } = props
  const editor = useEditor()
  const completion = useCompletion(editor, props.findSuggestions, isActive)
  const [hint, setHint] = useHint()
  const [isSearching, setSearching] = useState(false)
  const theme = useTheme()
  const editing = useQueueEditing(props.queued, editor)
  const keymap = useKeymap()
  const search = (): void => {
    setSearching(true)
  }
  const keys = useComposerKeys({ props, editor, completion, editing, keymap, hint: setHint, search })
  useDrafts(drafts, editor, props.onDraftsTaken)
  useKeys(keys, isActive && !isSearching)
  if (!isActive) return <></>
  if (isSearching) {
    const close = (): void => {
      setSearching(false)
    }
    return (
      <HistorySearch editor={editor} history={props.history} columns={columns} rows={props.listRows} onClose={close} />
    )
  }
  const look = editorHint(editor.state.buffer.units, props.queued !== undefined)
  const hintText = hint === '' ? look.hint : hint
  return (
    <Box flexDirection="column">
      {hasRules && <Rule columns={columns} />}
      <Editor
        buffer={editor.state.buffer}
        prompt={look.prompt}
        promptRole={look.role}
        placeholder={props.placeholder}
        hasCursor
        columns={columns}
        rows={rows}
      />
      {hasRules && <Rule columns={columns} />}
      {completion.suggestions.length > 0 && (
        <CompletionList completion={completion} columns={columns} rows={props.listRows} />
      )}
      {completion.suggestions.length === 0 && hintText !== '' && (
        <Text>{theme.paint('dim', cutToWidth(`  ${hintText}`, columns - 1))}</Text>
      )}
    </Box>
  )
}

function Rule({ columns }: { readonly columns: number }): ReactElement {
  const { paint } = useTheme()
  return <Text wrap="truncate">{paint('dim', '─'.repeat(columns - 1))}</Text>
}

type Completion = ReturnType<typeof useCompletion>

interface Parts {
  readonly props: ComposerProps
  readonly editor: EditorHandle
  readonly completion: Completion
  readonly editing: QueuedEditing
  readonly keymap: Keymap
  /** Shows a hint. */
  hint(text: string): void
  /** Opens the search of the history. */
  search(): void
}

function useComposerKeys(parts: Parts): (press: KeyPress) => void {
  const { props, editor, completion, hint, keymap } = parts
  const { main, list } = keymap
  const keyState = useRef<KeyState>({})
  return (press) => {
    hint('')
    const before = keyState.current
    keyState.current = {} // also a text, a paste and a key of the completion stand between two keys
    if (press.kind === 'text') {
      if (press.text === '?' && props.queued === undefined && editor.now().buffer.units.length === 0)
        props.onAction('showKeys')
      else editor.edit({ type: 'insert', text: press.text })
    } else if (press.kind === 'paste') {
      for (const edit of props.readPaste(press.text)) editor.edit(edit)
    } else {
      const listed = list.get(press.name)
      if (listed !== undefined && completion.act(listed)) return
      const pressed = pressKey(before, press.name, performance.now(), main)
      keyState.current = pressed.state
      if (pressed.action !== undefined) runEditorAction(pressed.action, parts)
      else props.onExtensionKey?.(press.name)
    }
  }
}

function runEditorAction(action: ActionName, parts: Parts): void {
  const { props, editor, completion } = parts
  const { units, cursor } = editor.now().buffer
  const edit = editOf(action)
  if (edit !== undefined) {
    editor.edit(edit)
    return
  }
  switch (action) {
    case 'moveUp':
    case 'moveDown': {
      const by = action === 'moveUp' ? -1 : 1
      editor.edit({ type: 'row', by, width: props.columns - promptWidth, history: props.history.entries() })
      return
    }
    case 'submit':
      if (units[cursor - 1] === '\\') editor.edit({ type: 'replace', from: cursor - 1, text: '\n' })
      else send('steer', parts)
      return
    case 'followUp':
      send('follow_up', parts)
      return
    case 'clear':
      interrupt(parts)
      return
    case 'deleteOrLeave':
      if (units.length > 0) editor.edit({ type: 'delete', to: 'right', kill: false })
      else if (props.queued === undefined) props.onAction('leave')
      return
    case 'complete':
      completion.ask()
      return
    case 'searchHistory':
      parts.search()
      return
    case 'externalEditor':
      props.onExternalEditor(editor)
      return
    case 'abort':
      abort(parts)
      return
    case 'queuedBefore':
    case 'queuedAfter':
      if (parts.editing.isChanged() && props.queued !== undefined) finishQueueEditing(units, parts)
      else props.onAction(action)
      return
    default:
      props.onAction(action)
  }
}

function abort(parts: Parts): void {
  if (parts.props.queued === undefined) parts.props.onAction('abort')
  else finishQueueEditing(undefined, parts)
}

/** Stops the run, or leaves if it is being stopped; without a run, empties the editor. */
function interrupt(parts: Parts): void {
  const { props, editor, hint } = parts
  if (props.isStopping === true) {
    props.onAction('leave')
    return
  }
  if (props.isRunning) abort(parts)
  else if (editor.now().buffer.units.length > 0) editor.edit({ type: 'put', units: [] })
  if (props.queued === undefined) hint(`${keyLabel(keysOf(parts.keymap, 'clear')[0] ?? '')} again leaves`)
}

/** Restores the text from before the editing of the queue. */
function finishQueueEditing(units: readonly Unit[] | undefined, { props, editing }: Parts): void {
  if (props.onQueued?.(units) === true) editing.drop()
}

function send(how: 'steer' | 'follow_up', parts: Parts): void {
  const { props, editor, editing } = parts
  const { units } = editor.now().buffer
  if (props.queued !== undefined) {
    finishQueueEditing(editing.isChanged() ? units : undefined, parts)
    return
  }
  if (!props.onSend(units, how)) return
  const entry = historyEntry(units)
  if (entry !== undefined) props.history.add(entry)
  editor.edit({ type: 'sent' })
}
