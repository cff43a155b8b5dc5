// Slash commands that act on the session, or switch to another one.
import { contextBars } from '../../text/context-bars.ts'
import { resolve } from 'node:path'
import { mergeMap } from 'rxjs'
import { compact } from './compact.ts'
import { pin } from './pin.ts'
import { openCopy, withNote } from '../session/open-session.ts'
import { newSessionContext } from '../contract/ui.ts'
import type { Ui } from '../contract/ui.ts'
import { askServer, notify, withSession, openPicker } from './ask-server.ts'
import { undo } from './undo.ts'
import type { SlashCommand } from './slash-command.ts'
import type { SessionStats } from '../../../lib/streams/state/session-stats.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

const hasSession: SlashCommand['isOffered'] = ({ session }) => session !== undefined

export const sessionCommands: readonly SlashCommand[] = [
  {
    name: 'new',
    aliases: ['clear'],
    description: 'start a new session in this folder',
    run: (ui) => {
      const opened$ = ui.request({ type: 'new_session', ...newSessionContext(ui) })
      ui.open(opened$.pipe(withNote(newSessionNote(ui))))
    },
  },
  {
    name: 'resume',
    aliases: ['sessions'],
    description: 'continue another session',
    run: (ui) => {
      openPicker(ui, 'sessions')
    },
  },
  {
    name: 'tree',
    description: 'go back to an earlier entry of this session',
    isOffered: hasSession,
    run: (ui) => {
      openPicker(ui, 'tree')
    },
  },
  { name: 'branch', description: 'continue from here in a new session', isOffered: hasSession, run: branch },
  {
    name: 'undo',
    description: 'reset conversation and files to before the last run',
    argument: '[force]',
    isOffered: hasSession,
    run: undo,
  },
  {
    name: 'name',
    aliases: ['rename'],
    description: 'name this session',
    argument: '[title]',
    isOffered: hasSession,
    run: (ui, title) => {
      withSession(ui, (session) => {
        askServer(ui, { type: 'rename_session', session, title }, () => {
          notify(ui, title === '' ? 'The session has no name now' : `The session is called ${title}`, 'success')
        })
      })
    },
  },
  {
    name: 'export',
    description: 'write this session to a file (.html, .md, .jsonl)',
    argument: '[file] [--force]',
    isOffered: hasSession,
    run: exportSession,
  },
  {
    name: 'context',
    description: 'show what the next request would hold, with tokens',
    isOffered: hasSession,
    run: (ui) => {
      withSession(ui, (session) => {
        askServer(ui, { type: 'get_context', session }, ({ request }) => {
          notify(ui, request === undefined ? 'This session makes no request' : contextBars(request).join('\n'))
        })
      })
    },
  },
  {
    name: 'compact',
    description: 'summarise earlier messages for the model; show the summary, or undo it',
    argument: '[focus|show|undo]',
    isOffered: hasSession,
    run: compact,
  },
  {
    name: 'pin',
    description: 'keep your last message when the conversation is summarised',
    argument: '[off]',
    isOffered: hasSession,
    run: pin,
  },
  {
    name: 'stats',
    aliases: ['cost'],
    description: 'show what this session has done and cost',
    isOffered: hasSession,
    run: (ui) => {
      withSession(ui, (session) => {
        askServer(ui, { type: 'get_stats', session }, (stats) => {
          notify(ui, statsText(stats))
        })
      })
    },
  },
]

function newSessionNote(ui: Ui): string {
  const isFirst = ui.now().session === undefined
  return isFirst ? 'A new session' : `A new session. /resume goes back to ${nameOf(ui)}`
}

/** The title of the session, or a pronoun. */
function nameOf(ui: Ui): string {
  const title = ui.now().session?.title ?? ''
  return title === '' ? 'the one before' : `“${title}”`
}

function branch(ui: Ui): void {
  withSession(ui, (session) => {
    const head$ = ui.request({ type: 'get_state', session })
    const note = `A copy of the conversation up to here, in a session of its own. /resume goes back to ${nameOf(ui)}`
    ui.open(
      head$.pipe(
        mergeMap(({ headEntryId }) => openCopy(ui, session, headEntryId)),
        withNote(note),
      ),
    )
  })
}

const formats = { html: 'html', md: 'markdown', markdown: 'markdown', jsonl: 'pi' } as const

function exportSession(ui: Ui, argument: string): void {
  withSession(ui, (session) => {
    const [, name = '', force] = /^(.*?)(?:(?:^|\s+)(--force))?$/.exec(argument) ?? []
    const file = name === '' ? `rxpi-${session}.html` : name
    const format = Object.entries(formats).find(([ending]) => file.endsWith(`.${ending}`))?.[1]
    if (format === undefined) {
      notify(ui, `The format of ${file} is unknown: use a name that ends with .html, .md or .jsonl`, 'warning')
      return
    }
    const to = resolve(ui.now().session?.cwd ?? ui.surroundings.cwd, file)
    const overwrite = force === undefined ? {} : { overwrite: true }
    askServer(ui, { type: 'export_session', session, format, to, ...overwrite }, () => {
      notify(ui, `Exported the session to ${to}`, 'success')
    })
  })
}

/** Formats the statistics of a session for /stats: durations in seconds, without what is zero. */
function statsText({ runs, turns, messages, tools, usage, durationMs, roles = {} }: SessionStats): string {
  const calls = Object.entries(tools)
  const lines = [
    `${countOf(runs, 'run')}, ${countOf(turns, 'turn')}, ${seconds(durationMs)}`,
    `messages: ${
      Object.entries(messages)
        .map(([role, number]) => `${role} ${number}`)
        .join(', ') || 'none'
    }`,
    `tokens: ${usage.input} in, ${usage.output} out, ${usage.cacheRead} read from the cache, ${usage.cacheWrite} written to the cache`,
    `cost: ${costText(usage)}`,
    ...roleLines(roles),
    ...calls.map(([name, tool]) => {
      const failed = tool.errors === 0 ? '' : `, ${tool.errors} failed`
      return `${name}: ${countOf(tool.calls, 'call')}${failed}, ${seconds(tool.durationMs)}`
    }),
  ]
  return lines.join('\n')
}

/** One line a role, if there is another than `default`. */
function roleLines(roles: NonNullable<SessionStats['roles']>): readonly string[] {
  const entries = Object.entries(roles)
  if (entries.every(([role]) => role === 'default')) return []
  return entries.map(([role, { turns, usage }]) => {
    const number = turns === 0 ? '' : `${countOf(turns, 'turn')}, `
    return `@${role}: ${number}${usage.totalTokens} tokens, ${costText(usage)}`
  })
}

function costText({ cost }: SessionStats['usage']): string {
  return cost === 'unknown' ? 'unknown' : `$${cost.total.toFixed(4)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
