// Who asks is said before what is asked: an approval of rxpi's own looks like nothing that an extension or a tool can make.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { span } from '../text/span.ts'

type Request = Pick<EventNamed<'ui_request'>, 'kind' | 'source'>

/** Asked by rxpi itself. */
export function isCore({ kind, source }: Request): boolean {
  return kind === 'approval' && source === 'core'
}

export function dialogHead(request: Request): string {
  if (isCore(request)) return 'APPROVAL — rxpi asks before this runs'
  const { source } = request
  if (source === 'core' || source === 'host') return 'A question'
  const tool = /^tool:(.*)$/s.exec(source)?.[1]
  return tool === undefined ? `The extension “${span(source).text}” asks` : `The tool “${span(tool).text}” asks`
}
