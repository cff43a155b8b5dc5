// Picker that asks whether a folder’s own configuration counts: answers, and files with digests.
import type { ReactElement } from 'react'
import { finalize } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { serverText } from '../../text/server-text.ts'
import { notify } from '../commands/ask-server.ts'
import { useRequest } from '../hooks/use-request.ts'
import { useSettled } from '../keys/use-settled-keys.ts'
import type { PickerRow } from '../lists/list-state.ts'
import { LoadedPicker } from '../lists/loaded-picker.tsx'
import { reopenSession } from '../session/open-session.ts'
import { reopenArgument } from '../session/trust-question.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { usePickerActions } from './use-picker-actions.ts'
import type { PickerFrame } from './use-picker-actions.ts'
import { trustAnswers } from '../../text/trust-text.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

type Folder = ResultOf<'trust_folder'>

export function TrustPicker({ view, columns, height, argument }: PickerFrame): ReactElement {
  const { ui, close } = usePickerActions()
  const { cwd, env } = ui.surroundings
  const command = { type: 'trust_folder' as const, cwd: view.session?.cwd ?? cwd, env: { ...env } }
  const loaded = useRequest(() => ui.request(command), command.cwd)
  const folder = loaded.state === 'loaded' ? loaded.value : undefined
  const hasSettled = useSettled(folder)
  const send = (answer: 'trust' | 'never' | 'forget'): void => {
    const { digest } = folder ?? {}
    ui.request({ ...command, answer, ...(digest === undefined ? {} : { digest }) })
      .pipe(finalize(close)) // the first session opens when the answer is stored
      .subscribe({
        next: (result) => {
          const { session } = view
          if (session === undefined) return
          if (argument === reopenArgument && result.trusted) ui.open(reopenSession(ui, session.id))
          else notify(ui, consequence(result))
        },
        error: (error: unknown) => ui.input(failureNotice(error)),
      })
  }
  return (
    <LoadedPicker
      title={titleOf(folder)}
      loaded={loaded}
      rowsOf={trustRows}
      columns={columns}
      height={height}
      keepsOrder
      empty="This folder brings no files of its own for rxpi"
      onCancel={close}
      onAccept={({ key }) => {
        if (!hasSettled()) return
        if (key === 'later') close()
        else if (key === 'trust' || key === 'never' || key === 'forget') send(key)
      }}
    />
  )
}

function titleOf(folder: Folder | undefined): string {
  switch (folder?.state) {
    case 'trusted':
      return 'You trust the files of this folder'
    case 'changed':
      return 'Files that you trusted in this folder have changed'
    case 'never':
      return 'The files of this folder never count'
    default:
      return 'This folder brings instructions and settings for rxpi'
  }
}

/** The answers, the harmless one first, then the commands and servers that would run, then the files. */
export function trustRows({
  state,
  files,
  digest,
  problem,
  hooks = [],
  mcpServers = [],
}: Folder): readonly PickerRow[] {
  if (state === 'none') return []
  const answers = trustAnswers(files.length)
  const trust = { key: 'trust', label: answers.trust, hint: `SHA-256 ${digest ?? ''}` }
  return [
    { key: 'later', label: state === 'trusted' ? 'Leave it so' : answers.later },
    ...(digest === undefined || state === 'trusted' ? [] : [trust]),
    ...(state === 'never' ? [] : [{ key: 'never', label: answers.never }]),
    ...(state === 'trusted' || state === 'never' ? [{ key: 'forget', label: 'Forget the answer' }] : []),
    ...(problem === undefined ? [] : [{ key: 'problem', label: problem, mark: '!' }]),
    ...hooks.map(({ event, matcher, command }, index) => ({
      key: `hook ${index}`,
      label: `runs ${command}`,
      second: matcher === undefined ? event : `${event} ${matcher}`,
      mark: '!',
    })),
    ...mcpServers.map((server) => ({
      key: `server ${server.name}`,
      label: `${server.command === undefined ? 'connects to' : 'starts'} ${serverText(server)}`,
      second: `MCP server ${server.name}`,
      mark: '!',
    })),
    ...files.map((file) => ({
      key: `file ${file.path}`,
      label: file.path,
      second: countOf(file.bytes, 'byte'),
      hint: file.digest,
      isAside: true,
    })),
  ]
}

function consequence({ trusted }: Folder): string {
  const words = trusted ? 'You trust the files of this folder' : 'The files of this folder do not count'
  return `${words}, in sessions that open from now on: /new begins one`
}
