// Lists what the extensions of a session show now, and announces changes of keys and themes.
import { first, merge } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { AnyRenderer } from '../api/extension-ui.ts'
import type { Contributions } from './contributions.ts'

export interface ShownParts {
  readonly notices: StartNotices
  list(): ExtensionUi
}

interface ShownOptions {
  readonly contributions: Contributions
  /** Of the session, once it is open. */
  readonly event$: Observable<AgentEvent>
  readonly life: Scope
  /** Publishes an event if the session is open. */
  publish(event: AgentEvent): void
}

export function shownParts({ contributions, event$, life, publish }: ShownOptions): ShownParts {
  const notices = startNotices()
  const { keys, themes, commands, renderers } = contributions
  event$
    .pipe(
      first(({ type }) => type === 'agent_start', undefined),
      life.bind(),
    )
    .subscribe(notices.end)
  merge(keys.changed$, themes.changed$, commands.changed$, renderers.changed$)
    .pipe(life.bind())
    .subscribe(() => {
      publish(uiChanged)
    })
  return { notices, list: () => extensionUiOf(contributions, notices.list) }
}

/** Published when keys or themes changed in an open session. */
const uiChanged: AgentEvent = { type: 'status', code: 'extension_ui', message: '', recoverable: true }

/** The parts for clients. A key whose command is gone is left out: its prompt would go to the model. */
function extensionUiOf(
  { statuses, keys, themes, commands, renderers }: Contributions,
  notices: ExtensionUi['notices'],
): ExtensionUi {
  const has = (extension: string, name: string): boolean =>
    commands.entries.some(({ owner, value }) => owner === extension && value.name === name)
  return {
    statuses: statuses.entries.map(({ owner, value }) => ({ extension: owner, ...value })),
    notices,
    ...(commands.entries.length > 0 && {
      commands: commands.entries.map(({ owner, value: { name } }) => ({ extension: owner, name })),
    }),
    ...drawnKinds(renderers.entries.map(({ value }) => value)),
    keys: keys.entries
      .filter(({ owner, value }) => has(owner, value.command))
      .map(({ owner, value }) => ({ extension: owner, ...value })),
    themes: themes.entries.map(({ owner, value: { colours, ...value } }) => ({
      extension: owner,
      ...value,
      colours: definedColours(colours),
    })),
  }
}

/** The kinds that renderers draw; a list is absent if there is none. */
function drawnKinds(
  renderers: readonly AnyRenderer[],
): Pick<ExtensionUi, 'renders' | 'rendersTools' | 'rendersMessages'> {
  const renders = renderers.flatMap((each) => (each.customType === undefined ? [] : [each.customType]))
  const rendersTools = renderers.flatMap((each) => (each.tool === undefined ? [] : [each.tool]))
  const rendersMessages = renderers.flatMap((each) => (each.message === undefined ? [] : [each.message]))
  return {
    ...(renders.length > 0 && { renders }),
    ...(rendersTools.length > 0 && { rendersTools }),
    ...(rendersMessages.length > 0 && { rendersMessages }),
  }
}

function definedColours(
  colours: Readonly<Record<string, number | string | undefined>>,
): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(colours).flatMap(([role, each]) => (each === undefined ? [] : [[role, each]])),
  )
}

const mostStartNotices = 20
const longestStartNotice = 2_000

/** Notices since the session was opened, for clients that come before its first run: the first 20. */
export interface StartNotices {
  add(notice: ExtensionUi['notices'][number]): void
}

interface HeldNotices extends StartNotices {
  readonly list: ExtensionUi['notices']
  /** A run has begun: nothing is held any more. */
  end(): void
}

function startNotices(): HeldNotices {
  let list: ExtensionUi['notices'] = []
  let hasEnded = false
  return {
    get list() {
      return list
    },
    add: (notice) => {
      if (hasEnded || list.length >= mostStartNotices) return
      list = [...list, { ...notice, text: notice.text.slice(0, longestStartNotice) }]
    },
    end: () => {
      hasEnded = true
      list = []
    },
  }
}
