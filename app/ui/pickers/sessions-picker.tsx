// Picker of a session to continue: of this folder or, with Tab, of all; Ctrl-F searches messages.
import { useState } from 'react'
import type { Ui } from '../contract/ui.ts'
import type { ReactElement } from 'react'
import { useRequest } from '../hooks/use-request.ts'
import type { Loaded } from '../hooks/use-request.ts'
import { askServer, notify } from '../commands/ask-server.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { ListedSession } from '../session/choose-session.ts'
import { openNew } from '../session/open-session.ts'
import { TextLine } from '../dialogs/text-line.tsx'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import type { PickerFrame } from './use-picker-actions.ts'
import { usePickerActions } from './use-picker-actions.ts'
import { formatAge } from '../../text/age.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { shortenFolder } from '../../text/short-folder.ts'
import { searchLimit } from '../../../lib/streams/values/identifiers.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

/** Maximum of listed sessions. */
const maxListed = 5_000

export function SessionsPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, close, show } = usePickerActions()
  const [renamed, rename] = useState<PickerRow>()
  const [doomed, doom] = useState<PickerRow>()
  const [last, setLast] = useState<string>()
  const changes = useChanges(ui)
  const { cwd, env } = ui.surroundings
  const { loaded, isAll, showAll, text, search, listKey, title } = useSessionList(ui, view.session?.cwd ?? cwd)
  const options = { now: Date.now(), current: view.session?.id, home: env['HOME'], showsFolder: isAll }
  const sessions = loaded.state === 'loaded' ? changes.apply(loaded.value.sessions) : []
  if (renamed !== undefined) {
    const onEnd = (title?: string): void => {
      if (title !== undefined) changes.rename(renamed.key, title)
      setLast(renamed.key)
      rename(undefined)
    }
    const named = sessions.find(({ id }) => id === renamed.key)
    return <NewName label={renamed.label} title={named?.title ?? ''} columns={columns} onEnd={onEnd} />
  }
  const remove = (row: PickerRow): void => {
    const isShown = row.key === view.session?.id
    const isSure = doomed?.key === row.key
    if (isShown) refuseShown(ui)
    else doom(isSure ? undefined : row)
    if (isSure) changes.remove(row.key)
  }
  return (
    <LoadedPicker
      key={listKey}
      title={title}
      loaded={loaded}
      rowsOf={() => sessionRows(sessions, options)}
      columns={columns}
      height={height}
      query={text === undefined ? (argument ?? '') : ''}
      {...(last === undefined ? {} : { initialOf: () => last })}
      empty={text === undefined ? 'There are no sessions yet' : 'No session has it'}
      foot={`Ctrl-R name · Ctrl-D delete · Tab ${isAll ? 'this folder' : 'all folders'} · Ctrl-F search`}
      {...(doomed === undefined ? {} : { warning: `Ctrl-D again deletes for ever: ${nameOf(doomed.label)}` })}
      keys={{ 'ctrl+r': rename, 'ctrl+d': remove }}
      onOtherKey={() => doom(undefined)}
      onComplete={() => showAll(!isAll)}
      onSearch={search}
      onCancel={() => (text === undefined ? leaveList(ui, close) : search(undefined))}
      onAccept={({ key }) => show(key, sessions.find(({ id }) => id === key)?.cwd)}
    />
  )
}

interface SessionList {
  readonly loaded: Loaded<ResultOf<'list_sessions'>>
  readonly isAll: boolean
  readonly showAll: (isAll: boolean) => void
  /** The searched text; undefined: all are listed. */
  readonly text: string | undefined
  readonly search: (text: string | undefined) => void
  /** Another one for each list. */
  readonly listKey: string
  readonly title: string
}

/** The sessions of the folder or of all folders: all, or those with a text. */
function useSessionList(ui: Ui, cwd: string): SessionList {
  const [isAll, showAll] = useState(false)
  const [text, search] = useState<string>()
  const which = { ...(isAll ? { all: true } : { cwd }), ...(text === undefined ? {} : { text }) }
  const request = { type: 'list_sessions', ...which, limit: maxListed, includeEmpty: false } as const
  const listKey = JSON.stringify([isAll, text])
  const loaded = useRequest(() => ui.request(request), listKey)
  const title = `Sessions of ${isAll ? 'all folders' : 'this folder'}${text === undefined ? '' : ` with “${text}”`}`
  return { loaded, isAll, showAll, text, search: (words) => search(words?.slice(0, searchLimit)), listKey, title }
}

function refuseShown(ui: Ui): void {
  notify(ui, 'This session is shown here: /new starts another, then it can be deleted', 'warning')
}

interface NewNameProps {
  readonly label: string
  /** The current name. */
  readonly title: string
  readonly columns: number
  /** Without a title: the name stays. */
  readonly onEnd: (title?: string) => void
}

function NewName({ label, title, columns, onEnd }: NewNameProps): ReactElement {
  return (
    <TextLine
      title={`The new name of “${nameOf(label)}”`}
      initial={title}
      columns={columns}
      onDone={onEnd}
      onCancel={() => onEnd()}
    />
  )
}

/** A label without the marks of a branch. */
function nameOf(label: string): string {
  return label.replace(/^ *└ /, '')
}

interface Changes {
  rename(session: string, title: string): void
  remove(session: string): void
  /** The list with the changes that the server has confirmed. */
  apply(sessions: readonly ListedSession[]): readonly ListedSession[]
}

/** Renames and deletes at the server; the list stays open, and a failure is a notice. */
function useChanges(ui: Ui): Changes {
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  return {
    rename: (session, title) => {
      askServer(ui, { type: 'rename_session', session, title }, () => {
        setTitles((before) => new Map(before).set(session, title))
      })
    },
    remove: (session) => {
      askServer(ui, { type: 'delete_session', session }, () => {
        setRemoved((before) => new Set(before).add(session))
      })
    },
    apply: (sessions) =>
      sessions
        .filter(({ id }) => !removed.has(id))
        .map((each) => {
          const { title: _, ...rest } = each
          const title = titles.get(each.id)
          if (title === undefined) return each
          return title === '' ? rest : { ...rest, title }
        }),
  }
}

/** Closes the list; opens a new session if none is shown (`rxpi --resume`). */
function leaveList(ui: Ui, close: () => void): void {
  close()
  if (ui.now().session === undefined) ui.open(openNew(ui))
}

/** Families in their order, latest first; in a family each branch stands below its parent. */
export function sessionRows(sessions: readonly ListedSession[], options: SessionRowOptions): readonly PickerRow[] {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const children = Map.groupBy(sessions, ({ parent }) => parent?.sessionId ?? '')
  const done = new Set<string>()
  const rows: PickerRow[] = []
  for (const each of sessions) {
    const open = done.has(each.id) ? [] : [{ session: rootOf(each, byId), depth: 0 }]
    // a work list: families may be deeper than the stack
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { session, depth } = next
      if (done.has(session.id)) continue // parents in a circle
      done.add(session.id)
      const row = sessionRow(session, options)
      rows.push(depth === 0 ? row : { ...row, label: `${'  '.repeat(Math.min(depth, maxIndent) - 1)}└ ${row.label}` })
      const below = (children.get(session.id) ?? []).map((child) => ({ session: child, depth: depth + 1 }))
      open.push(...below.reverse())
    }
  }
  return rows
}

/** The first listed ancestor; of parents in a circle, any. */
function rootOf(session: ListedSession, byId: ReadonlyMap<string, ListedSession>): ListedSession {
  const passed = new Set<string>()
  let root = session
  for (;;) {
    passed.add(root.id)
    const above = byId.get(root.parent?.sessionId ?? '')
    if (above === undefined || passed.has(above.id)) return root
    root = above
  }
}

/** Levels that are indented. */
const maxIndent = 4

interface SessionRowOptions {
  /** Unix ms. */
  readonly now: number
  /** The current session. */
  readonly current: string | undefined
  /** Home folder, shown as `~`. Absent: folders are not shown. */
  readonly home?: string | undefined
  readonly showsFolder: boolean
}

/** Formats a session as a row: title, age, folder, state. */
export function sessionRow(session: ListedSession, options: SessionRowOptions): PickerRow {
  const { id, title, firstWords, lastWords = '', match = lastWords, updatedAt, messages, cwd = '', damaged } = session
  const facts = [
    formatAge(updatedAt, options.now),
    stateOf(session),
    id === options.current ? 'current' : '',
    messages === undefined ? '' : countOf(messages, 'message'),
    options.showsFolder ? shortenFolder(cwd, options.home) : '',
    damaged === undefined ? '' : 'damaged',
  ]
  return {
    key: id,
    label: title ?? firstWords ?? '(no prompt)',
    ...(match === '' ? {} : { second: match }),
    mark: session.live?.asking ? '?' : session.live?.running === true ? '▶' : ' ',
    hint: facts.filter((fact) => fact !== '').join(' · '),
  }
}

function stateOf({ live }: ListedSession): string {
  if (live === undefined) return ''
  if (live.asking > 0) return 'waits for your answer'
  return live.running ? 'running' : ''
}
