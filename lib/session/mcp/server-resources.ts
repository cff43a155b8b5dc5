// Reads the resources that a prompt names as `@server:uri`, and adds them to its content.
import { catchError, concatMap, defer, from, map, throwError, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import type { UserContent } from '../../streams/messages/message.ts'
import { resourcePart } from '../../streams/messages/resource-part.ts'
import { Failure } from '../../streams/values/failure.ts'
import { offerNow } from './opened-servers.ts'
import type { OpenedServers } from './opened-servers.ts'

interface NamedResource {
  readonly server: string
  readonly uri: string
}

/** Most resources of one prompt. */
const mostResources = 10

/** The resources of servers of the session that the text names, each once. */
function namedResources(text: string, servers: OpenedServers): readonly NamedResource[] {
  const names = new Set(offerNow(servers).statuses.map(({ server }) => server))
  const found = new Map<string, NamedResource>()
  for (const [, server = '', written = ''] of text.matchAll(/(?<=^|\s)@([A-Za-z0-9_-]{1,64}):(\S+)/g)) {
    const uri = written.replace(/[.,;:!?)\]]+$/, '')
    if (names.has(server) && uri !== '') found.set(`${server}:${uri}`, { server, uri })
  }
  return [...found.values()]
}

/**
 * Emits the content of the resources once; undefined if the text names none. Fails with `bad_request` that names the resource
 * which cannot be read.
 */
export function readResources(text: string, servers: OpenedServers): Observable<readonly UserContent[]> | undefined {
  const named = text.includes('@') ? namedResources(text, servers) : []
  if (named.length === 0) return undefined
  return defer(() => {
    if (named.length > mostResources)
      throw new Failure(
        'bad_request',
        `A prompt may name ${mostResources} resources of MCP servers, not ${named.length}`,
      )
    return from(named).pipe(
      concatMap((each) => readOne(each, servers)),
      toArray(),
      map((parts) => parts.flat()),
    )
  })
}

function readOne({ server, uri }: NamedResource, { connection }: OpenedServers): Observable<readonly UserContent[]> {
  return connection.readResource(server, uri).pipe(
    catchError((thrown: unknown) => {
      const { message } = Failure.from(thrown)
      return throwError(() => new Failure('bad_request', `@${server}:${uri} could not be read: ${message}`))
    }),
    map(({ content }) => {
      const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      return [resourcePart(server, uri, texts.join('\n')), ...content.filter(({ type }) => type === 'image')]
    }),
  )
}
