// Gives modules of pi questions, notices, status items and surfaces; the rest differs, and says so.
import { EMPTY, firstValueFrom, map, takeUntil } from 'rxjs'
import type { Question } from '../../../streams/ports/ask.ts'
import { fromSignal } from '../../../streams/rx/from-signal.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { plainTheme } from '../modules/plain-theme.ts'
import { piSurfaces } from './pi-surfaces.ts'

interface DialogOptions {
  readonly signal?: AbortSignal
  readonly timeout?: number
}

const noTerminal = 'a client draws its own screen'

/** `ctx.ui` */
export function piDialogs(runtime: PiRuntime): PiRecord {
  return { ...questions(runtime), ...notices(runtime), ...screen(runtime), ...piSurfaces(runtime), theme: plainTheme }
}

function questions(runtime: PiRuntime): PiRecord {
  const ask = (question: Question, { signal, timeout }: DialogOptions = {}): Promise<unknown> => {
    const timed = { ...question, ...(timeout !== undefined && { timeoutMs: timeout }) }
    const stopped$ = signal === undefined ? EMPTY : fromSignal(signal)
    const outcome$ = runtime.api.ui.ask(timed).pipe(map(({ outcome }) => outcome))
    return firstValueFrom(outcome$.pipe(takeUntil(stopped$)), { defaultValue: question.default })
  }
  const textOf = async (question: Question, options?: DialogOptions): Promise<string | undefined> => {
    const outcome = await ask({ ...question, default: null }, options)
    return typeof outcome === 'string' ? outcome : undefined
  }
  return {
    select: (text: string, options: readonly string[], dialog?: DialogOptions) =>
      textOf({ kind: 'select', text, options: [...new Set(options)] }, dialog),
    confirm: async (title: string, message: string, dialog?: DialogOptions) =>
      (await ask({ kind: 'confirm', text: joined(title, message), default: false }, dialog)) === true,
    input: (title: string, placeholder?: string, dialog?: DialogOptions) =>
      textOf({ kind: 'input', text: joined(title, placeholder) }, dialog),
    editor: (title: string, prefill?: string) => textOf({ kind: 'input', text: joined(title, prefill) }),
  }
}

function joined(title: string, text: string | undefined): string {
  return text === undefined || text === '' ? title : `${title}\n${text}`
}

function notices({ api, statuses }: PiRuntime): PiRecord {
  return {
    notify: (text: string, level?: 'info' | 'warning' | 'error') => {
      api.ui.notify(text, level)
    },
    setStatus: (key: string, text: string | undefined) => {
      if (text === undefined) statuses.delete(key)
      else statuses.set(key, text)
      api.ui.status(text, key)
    },
    setTitle: (title: string) => {
      api.ui.status(title, 'title')
    },
  }
}

/** Functions of pi's terminal: each reports once that it has no effect. */
function screen({ limits }: PiRuntime): PiRecord {
  const without =
    <Value>(name: string, value?: Value) =>
    (): Value | undefined => {
      limits.report(`ctx.ui.${name}`, noTerminal)
      return value
    }
  const silent = [
    'setWorkingMessage',
    'setWorkingVisible',
    'setWorkingIndicator',
    'setHiddenThinkingLabel',
    'addAutocompleteProvider',
    'setToolsExpanded',
  ] as const
  return {
    ...Object.fromEntries(silent.map((name) => [name, without(name)])),
    onTerminalInput: without('onTerminalInput', () => undefined),
    getAllThemes: () => [],
    getTheme: () => undefined,
    setTheme: without('setTheme', { success: false, error: 'The client chooses its theme' }),
    getToolsExpanded: () => false,
  }
}
