// Shows an extension's editor in place of the input: typed keys go to it, its text comes back.
import { Box } from 'ink'
import { useRef } from 'react'
import type { ReactElement } from 'react'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { useUi } from '../hooks/use-ui.ts'
import type { ActionName } from '../keys/actions.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { pressKey } from '../keys/press-key.ts'
import type { KeyState } from '../keys/press-key.ts'
import { useKeymap, useKeys } from '../keys/use-keys.ts'
import type { Surface } from '../view/fold-screen.ts'
import { closeSurface, sendSurfaceKey } from './send-surface-key.ts'
import { SurfaceLines } from './surface-lines.tsx'

export interface SurfaceEditorProps {
  readonly surface: Surface
  /** Cells. */
  readonly columns: number
  readonly rows: number
  /** A run, or a shell command of the user, can be stopped. */
  readonly isRunning: boolean
  /** Sends the text that the person finished. */
  onSubmit(text: string): void
  onAction(action: ActionName): void
}

/** Actions of the screen: an editor of an extension does not get their keys. */
const screenActions: ReadonlySet<ActionName> = new Set([
  'leave',
  'showKeys',
  'toggleThinking',
  'expandTools',
  'showOutput',
  'showPlan',
  'showJobs',
  'togglePlan',
  'cycleThinking',
  'pickModel',
  'redraw',
  'suspend',
] satisfies ActionName[])

/** Ctrl-C stops a run; without one it closes this editor, and its text goes into the own one. */
export function SurfaceEditor({ surface, columns, rows, isRunning, ...ports }: SurfaceEditorProps): ReactElement {
  const ui = useUi()
  const { main } = useKeymap()
  const keyState = useRef<KeyState>({})
  const text = useRef('')
  const onAnswer = (action: ActionName | undefined, answer: ResultOf<'surface_key'>): void => {
    text.current = answer.text ?? text.current
    if (answer.submit !== undefined) {
      text.current = ''
      ports.onSubmit(answer.submit)
    } else if (!answer.taken && action !== undefined) ports.onAction(action === 'deleteOrLeave' ? 'leave' : action)
  }
  const onKey = (press: KeyPress): void => {
    const pressed =
      press.kind === 'key' ? pressKey(keyState.current, press.name, performance.now(), main) : { state: {} }
    keyState.current = pressed.state
    const action = 'action' in pressed ? pressed.action : undefined
    if (press.kind === 'key' && press.name === 'ctrl+c' && action !== 'leave') interrupt()
    else if (action !== undefined && screenActions.has(action)) ports.onAction(action)
    else
      sendSurfaceKey(ui, surface.id, press, (answer) => {
        onAnswer(action, answer)
      })
  }
  const interrupt = (): void => {
    if (isRunning) {
      ports.onAction('abort')
      return
    }
    closeSurface(ui, surface.id)
    if (text.current !== '') ui.input({ type: 'draft', text: text.current })
  }
  useKeys(onKey, true)
  return (
    <Box>
      <SurfaceLines surface={surface} columns={columns} rows={rows} hasCursor />
    </Box>
  )
}
