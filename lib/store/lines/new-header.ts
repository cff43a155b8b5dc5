// A header is checked when it is made, by the same check that reads it, so that no session is created which cannot be opened.
import { openBody } from '../../streams/log/line-event.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import { logVersion } from '../../streams/log/log-line.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { NewHeader } from '../../streams/ports/session-log.ts'
import { parseHeader } from './parse-header.ts'
import { sealLine } from './seal-line.ts'

/** Line 1 of a new log, as text and as it will be read. @throws Failure `bad_request` naming the field */
export function newHeader(fields: NewHeader): { readonly header: SessionHeader; readonly headerLine: string } {
  const { id, createdAt, cwd, title, parent, opId, opBody } = fields
  const header = { type: 'session', v: logVersion, id, createdAt, cwd, title, parent, opId, opBody }
  const headerLine = sealLine(openBody(header))
  const parsed = parseHeader(Buffer.from(headerLine))
  if (parsed.ok) return { header: parsed.header, headerLine }
  const problem = parsed.fault === 'damaged' ? parsed.problem : 'its version is not ours'
  throw new Failure('bad_request', `The session could not be created: in its header, ${problem}`)
}
