// Builds what an extension shows to people: questions, notices, status texts, keys, themes.
import { EMPTY, catchError, defer } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ExtensionUiApi } from '../api/extension-ui.ts'
import type { Registration } from '../api/extension-api.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ApiParts } from './api-parts.ts'
import { checkKey, checkRenderer, checkStatus, checkTheme } from './check-ui-parts.ts'
import type { Registry } from './contribution-registry.ts'
import type { ConnectedSession } from './session-host.ts'

/** Characters of a text for the input. */
const longestEditorText = 65_536

/** @param add registers until the extension ends */
export function buildUiApi(
  parts: ApiParts,
  add: <Value>(to: Registry<Value>, value: Value) => Registration,
  requireOpen: () => ConnectedSession,
): Omit<ExtensionUiApi, 'screen' | 'surface'> {
  const { manifest, life, contributions } = parts
  const source = manifest.name
  return {
    ask: (question) => defer(() => requireOpen().ask({ ...question, source })).pipe(life.bind()),
    notify: notifier(parts),
    status: statusTexts(parts),
    editorText: (text, { keepTyped = false } = {}) => {
      requireOpen().publish(editorEvent(source, text, keepTyped))
    },
    bindKey: (binding) => add(contributions.keys, checkKey(parts, binding)),
    renderer: (renderer) => add(contributions.renderers, checkRenderer(parts, renderer)),
    theme: (theme) => add(contributions.themes, checkTheme(parts, theme)),
  }
}

function notifier({ manifest: { name: source }, whenOpen, startNotices }: ApiParts): ExtensionUiApi['notify'] {
  return (text, level = 'info') => {
    whenOpen((session) => {
      startNotices.add({ extension: source, level, text, seq: session.state().seq })
      const notice = { code: 'extension', message: text, context: { extension: source, level }, recoverable: true }
      if (level === 'info') {
        session
          .ask({ kind: 'notify', text, source })
          .pipe(catchError(() => EMPTY))
          .subscribe() // the log takes no lines: a `status` has said so
      } else session.publish({ type: level, ...notice })
    })
  }
}

/** The end of the extension removes its texts; each text is one registration. */
function statusTexts(parts: ApiParts): ExtensionUiApi['status'] {
  const { manifest, life, contributions, connected } = parts
  const owner = manifest.name
  const texts = new Map<string, Registration>()
  const publish = (key: string, text: string | undefined): void => {
    connected()?.publish(statusEvent(owner, key, text)) // a client that comes later asks for the texts
  }
  life.onEnd(() => {
    for (const [key, { unregister }] of texts) {
      unregister()
      publish(key, undefined)
    }
    texts.clear()
  })
  return (text, key = owner) => {
    if (life.ended) return
    const line = text === undefined ? undefined : checkStatus(parts, key, text)
    texts.get(key)?.unregister()
    texts.delete(key)
    if (line !== undefined) {
      texts.set(key, contributions.statuses.add({ owner, value: { key, text: line }, priority: 0, end$: life.end$ }))
    }
    publish(key, line)
  }
}

/** @throws Failure `bad_request` for a text that is none, or too long */
function editorEvent(extension: string, text: unknown, keepTyped: boolean): AgentEvent {
  if (typeof text !== 'string' || text.length > longestEditorText) {
    throw new Failure('bad_request', `The text of an editor has at most ${longestEditorText} characters`)
  }
  const message = `The extension ${extension} sets the text of the input`
  return {
    type: 'status',
    code: 'extension_editor',
    message,
    context: { extension, text, keepTyped },
    recoverable: true,
  }
}

function statusEvent(extension: string, key: string, text: string | undefined): AgentEvent {
  const context = { extension, key, text: text ?? null }
  return { type: 'status', code: 'extension_status', message: text ?? '', context, recoverable: true }
}
