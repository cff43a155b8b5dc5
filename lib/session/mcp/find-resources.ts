// Finds resources of MCP servers for a text that a person types behind `@`, with values of templates.
// Guarantees: no server is asked but for the values of a variable, within `valuesMs`.
import { go } from 'fuzzysort'
import { catchError, defer, forkJoin, map, of, take, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { openVariable } from '../../mcp/content/uri-template.ts'
import type { OpenVariable } from '../../mcp/content/uri-template.ts'
import type { McpOffer, McpResource } from '../../mcp/contract/mcp-offer.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { offerNow } from './opened-servers.ts'
import type { OpenedServers } from './opened-servers.ts'

type Found = ResultOf<'find_resources'>
type Row = Found['resources'][number]

/** Milliseconds for the values of one variable. */
const valuesMs = 2_000
/** Templates of one text whose values are looked for. */
const mostTemplates = 4
/** Values of one variable, as the specification has it. */
const mostValues = 100
const usualLimit = 50

/** Emits once; never fails. A text `SERVER:…` finds resources of this server alone. */
export function findResources(
  { query = '', limit = usualLimit }: Pick<CommandNamed<'find_resources'>, 'query' | 'limit'>,
  servers: OpenedServers,
): Observable<Found> {
  return defer(() => {
    const offer = offerNow(servers)
    const { server, text } = readQuery(query, offer)
    const own = server === undefined ? offer.resources : offer.resources.filter((each) => each.server === server)
    return valuesOf(own, text, servers).pipe(
      map((values) => {
        const listed = rank(own, server === undefined ? query : text).map(toRow)
        const found = withoutRepeats([...listed.filter(({ uri }) => uri === text), ...values, ...listed])
        return { servers: countResources(offer), resources: found.slice(0, limit), more: found.length > limit }
      }),
    )
  })
}

/** Absent `server`: the text names none of the session. */
function readQuery(query: string, { statuses }: McpOffer): { readonly server?: string; readonly text: string } {
  const [, server = '', text = ''] = /^([\w-]{1,64}):(.*)$/s.exec(query) ?? []
  return statuses.some((status) => status.server === server) ? { server, text } : { text: '' }
}

function countResources({ statuses, resources }: McpOffer): Found['servers'] {
  return statuses.flatMap(({ server }) => {
    const count = resources.filter((each) => each.server === server).length
    return count === 0 ? [] : [{ server, resources: count }]
  })
}

/** Ranks those first that begin with the text, then those with its letters; without a text as they are. */
function rank(resources: readonly McpResource[], text: string): readonly McpResource[] {
  if (text === '') return resources
  const begins = resources.filter(({ uri }) => uri.startsWith(text))
  const similar = go(text, resources, { keys: ['uri', 'name', 'server'] }).map(({ obj }) => obj)
  return [...new Set([...begins, ...similar])]
}

/** A value of a template may be a listed resource too: the first one stays. */
function withoutRepeats(rows: readonly Row[]): readonly Row[] {
  const keys = new Set<string>()
  return rows.filter(({ server, uri }) => {
    const key = `${server}:${uri}`
    const isNew = !keys.has(key)
    keys.add(key)
    return isNew
  })
}

function toRow({ server, uri, name, description, mimeType, template }: McpResource): Row {
  return {
    server,
    uri,
    name,
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(template ? { template } : {}),
  }
}

/** Emits once: the URIs of templates with the values that their server proposes. */
function valuesOf(own: readonly McpResource[], text: string, servers: OpenedServers): Observable<readonly Row[]> {
  const open = own
    .filter(({ template }) => template)
    .flatMap((template) => {
      const variable = openVariable(template.uri, text)
      return variable === undefined ? [] : [{ template, variable }]
    })
    .slice(0, mostTemplates)
  if (open.length === 0) return of([])
  return forkJoin(open.map(({ template, variable }) => proposed(template, variable, servers))).pipe(
    map((rows) => rows.flat()),
  )
}

/** A server that proposes nothing leaves the value to the person. */
function proposed(
  { server, uri, description }: McpResource,
  { name, value, known, expand, isLast }: OpenVariable,
  { connection }: OpenedServers,
): Observable<readonly Row[]> {
  return connection.complete({ kind: 'resource', server, uri }, { name, value, known }).pipe(
    take(1),
    timeout({ first: valuesMs }),
    map((values) =>
      values.slice(0, mostValues).map((each) => ({
        server,
        uri: expand(each),
        name: uri,
        ...(description === undefined ? {} : { description }),
        ...(isLast ? {} : { template: true }),
      })),
    ),
    catchError(() => of([])),
  )
}
