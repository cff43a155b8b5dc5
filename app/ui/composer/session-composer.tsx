// Connects the composer with the session, the slash commands and the user's shell.
import { useMemo } from 'react'
import type { ReactElement } from 'react'
import { lastValueFrom, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionKey } from '../../../lib/streams/commands/extension-ui-commands.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-inputs.ts'
import { askServer, notify, withSession } from '../commands/ask-server.ts'
import type { ActionName } from '../keys/actions.ts'
import { useKeymap } from '../keys/use-keys.ts'
import { scenarioPrompt } from '../commands/scenario-commands.ts'
import { isOwnCommand, isPromptCommand, runSlashCommand } from '../commands/slash-commands.ts'
import { findSuggestions, serverCommands } from '../completion/find-suggestions.ts'
import { useTerminalHandover } from '../hooks/use-terminal-handover.ts'
import { useUi } from '../hooks/use-ui.ts'
import { editQueued } from '../contract/edit-queue.ts'
import { submissionOf } from '../contract/submission.ts'
import { sendInput } from './send-input.ts'
import type { Ui } from '../contract/ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { surfaceWithKeys } from '../view/fold-screen.ts'
import { SurfaceDialog } from '../surfaces/surface-dialog.tsx'
import { SurfaceEditor } from '../surfaces/surface-editor.tsx'
import type { View } from '../view/view.ts'
import { Composer } from './composer.tsx'
import { editExternally } from './external-editor.ts'
import { openHistory } from './history-file.ts'
import { createPasteReader } from '../editor/paste-reader.ts'
import { readPrompt, readInput } from './read-prompt.ts'
import { unitsOf, unitsOfInput, textOfUnits } from '../editor/unit.ts'
import type { QueuedText } from './use-queue-editing.ts'
import type { Unit } from '../editor/unit.ts'
import type { EditorHandle } from '../editor/editor-handle.ts'

export interface SessionComposerProps {
  readonly view: View
  /** Cells; at least 20. */
  readonly columns: number
  /** Maximum of rows of text. */
  readonly rows: number
  /** Maximum of rows of a list below the editor. */
  readonly listRows: number
  readonly hasRules: boolean
  /** Rows of the dialog or editor of an extension that is shown in its place. */
  readonly surfaceRows: number
  /** Handles actions that do not edit the text. */
  onAction(action: ActionName): void
}

export function SessionComposer({ view, onAction, surfaceRows, ...size }: SessionComposerProps): ReactElement {
  const ui = useUi()
  const lend = useTerminalHandover()
  const keymap = useKeymap()
  const cwd = view.session?.cwd ?? ui.surroundings.cwd
  const { env } = ui.surroundings
  const ports = useMemo(() => {
    const onProblem = (problem: string): void => notify(ui, problem, 'warning')
    return {
      history: openHistory({ cwd, env, onProblem: onProblem }),
      readPaste: createPasteReader(cwd),
      findSuggestions: findSuggestions(ui),
    }
  }, [ui, cwd, env])
  const edited = view.queue.find(({ queueId }) => queueId === view.editing)
  const queued = useMemo(() => edited && queuedText(edited), [edited])
  const surface = surfaceWithKeys(view)
  const own = (
    <Composer
      {...ports}
      drafts={view.drafts}
      onDraftsTaken={(revision) => ui.input({ type: 'drafts_taken', revision })}
      isActive={view.overlay === undefined && surface === undefined}
      {...size}
      isRunning={isBusy(view)}
      isStopping={(view.running ?? view.compacting)?.isStopping === true}
      placeholder={placeholderOf(view)}
      onSend={(units, how) => send(ui, { units, cwd, how })}
      onExternalEditor={(editor) => {
        lend(() => lastValueFrom(editInFile(editor, { env, cwd }), { defaultValue: undefined }))
      }}
      onAction={onAction}
      onExtensionKey={(key) => runExtensionKey(ui, keymap.extensions?.get(key))}
      queued={queued}
      onQueued={(units) => saveQueued(ui, units, cwd)}
    />
  )
  // what cannot be sent is not lost
  const onSubmit = (text: string): void => {
    if (text.trim() !== '' && !send(ui, { units: unitsOf(text), cwd, how: 'steer' })) ui.input({ type: 'draft', text })
  }
  const area = { columns: size.columns - 1, rows: surfaceRows }
  const editor = { ...area, isRunning: isBusy(view), onSubmit, onAction }
  // the composer stays mounted: it holds the text
  return (
    <>
      {own}
      {surface?.placement === 'dialog' && <SurfaceDialog key={surface.id} surface={surface} {...area} />}
      {surface?.placement === 'editor' && <SurfaceEditor key={surface.id} surface={surface} {...editor} />}
    </>
  )
}

/** The command of an extension's key. */
function runExtensionKey(ui: Ui, own: ExtensionKey | undefined): void {
  if (own === undefined) return
  const { command, argument } = own
  sendInput(ui, { text: argument === undefined ? `/${command}` : `/${command} ${argument}`, images: [] }, 'steer')
}

/** Something runs that Esc stops. */
function isBusy({ running, compacting, sending, jobs }: View): boolean {
  return running !== undefined || compacting !== undefined || sending > 0 || jobs.some(({ by }) => by === 'client')
}

/** With the demo model the hint begins with /login. */
function placeholderOf({ model }: View): string {
  const usual = '/ for commands, @ for files, ! for shell commands, ? for keys'
  return model === '' || model.startsWith('demo/') ? `/login for a real model; ${usual}` : usual
}

function queuedText(input: QueuedInput): QueuedText {
  const { text, images } = submissionOf(input)
  return { queueId: input.queueId, units: unitsOfInput(text, images) }
}

/** Returns false if the text stays in the editor. */
function saveQueued(ui: Ui, units: readonly Unit[] | undefined, cwd: string): boolean {
  const { queue, editing } = ui.now()
  const input = queue.find(({ queueId }) => queueId === editing)
  try {
    if (units !== undefined && input !== undefined)
      editQueued(ui, input, readPrompt(units, cwd, submissionOf(input).text))
  } catch (error) {
    ui.input(failureNotice(error))
    return false
  }
  ui.input({ type: 'editing' })
  return input !== undefined
}

interface Written {
  readonly units: readonly Unit[]
  readonly cwd: string
  readonly how: 'steer' | 'follow_up'
}

/** Returns false if the text stays in the editor. */
function send(ui: Ui, { units, cwd, how }: Written): boolean {
  try {
    const input = readInput(units, cwd)
    if (input === undefined) return false
    if (input.kind === 'command') return runCommand(ui, input, how)
    if (input.kind === 'bash') runOwnCommand(ui, input)
    else sendInput(ui, input, how)
    return true
  } catch (error) {
    ui.input(failureNotice(error))
    return false
  }
}

/** A command that the UI does not have may be one of the session's server; otherwise the text returns to the editor. */
function runCommand(
  ui: Ui,
  { name, argument }: { readonly name: string; readonly argument: string },
  how: Written['how'],
): boolean {
  const { session } = ui.now()
  const text = argument === '' ? `/${name}` : `/${name} ${argument}`
  if (isPromptCommand(name, argument)) {
    sendInput(ui, { text, images: [] }, how)
    return true
  }
  const inScenario = scenarioPrompt(name, argument)
  if (session !== undefined && inScenario !== undefined) {
    const { phase, text: prompt } = inScenario
    ui.request({ type: 'set_scenario_phase', session: session.id, ...phase }).subscribe({
      next: () => {
        sendInput(ui, { text: prompt, images: [] }, how)
      },
      error: (error: unknown) => {
        ui.input(failureNotice(error))
        ui.input({ type: 'draft', text, images: [] })
      },
    })
    return true
  }
  if (session === undefined || isOwnCommand(ui, name)) return runSlashCommand(ui, name, argument)
  serverCommands(ui, session.id).subscribe((commands) => {
    if (commands.some((command) => command.name === name)) sendInput(ui, { text, images: [] }, how)
    else if (!runSlashCommand(ui, name, argument)) ui.input({ type: 'draft', text, images: [] })
  })
  return true
}

function runOwnCommand(ui: Ui, { command, forModel }: { readonly command: string; readonly forModel: boolean }): void {
  withSession(ui, (session) => {
    askServer(ui, { type: 'user_bash', session, command, ...(forModel ? {} : { exclude: true }) })
  })
}

/** Writes pastes in full and images as labels; an image stays while its label does. */
function editInFile(
  editor: EditorHandle,
  where: Pick<Parameters<typeof editExternally>[0], 'env' | 'cwd'>,
): Observable<void> {
  const { units } = editor.now().buffer
  return editExternally({ text: textOfUnits(units), ...where }).pipe(
    map((text) => {
      editor.edit({ type: 'put', units: withImages(text, units) })
    }),
  )
}

function withImages(text: string, before: readonly Unit[]): readonly Unit[] {
  let units: readonly Unit[] = [text]
  for (const chip of before) {
    if (typeof chip === 'string' || chip.kind === 'paste') continue
    const label = textOfUnits([chip])
    units = units.flatMap((unit) => (typeof unit === 'string' ? insertChip(unit, label, chip) : [unit]))
  }
  return units.flatMap((unit) => (typeof unit === 'string' ? unitsOf(unit) : [unit]))
}

function insertChip(text: string, label: string, chip: Unit): readonly Unit[] {
  const index = text.indexOf(label)
  return index === -1 ? [text] : [text.slice(0, index), chip, text.slice(index + label.length)]
}
