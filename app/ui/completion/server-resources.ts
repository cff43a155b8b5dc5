// Suggests resources of MCP servers behind `@`: servers first, then what one of them has.
import { catchError, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../contract/ui.ts'
import type { Suggestion } from './completion.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

type Found = ResultOf<'find_resources'>

/** Where suggestions stand beside those of files. */
export interface ResourceSuggestions {
  readonly first: readonly Suggestion[]
  readonly last: readonly Suggestion[]
}

const none: ResourceSuggestions = { first: [], last: [] }
const limit = 50
/** Resources behind the files, if the text names no server. */
const mostBehind = 10

/** Emits once and never fails; none from a server of an earlier version. */
export function serverResources(
  ui: Pick<Ui, 'request'>,
  session: string,
  query: string,
): Observable<ResourceSuggestions> {
  return ui.request({ type: 'find_resources', session, query, limit }).pipe(
    map((found) => suggestionsOf(found, query)),
    catchError(() => of(none)),
  )
}

/**
 * The resources of the server that the text names; else servers whose name it begins, and a few resources behind the
 * files.
 */
export function suggestionsOf({ servers, resources }: Found, query: string): ResourceSuggestions {
  const names = servers.map(({ server }) => server)
  if (names.some((name) => query.startsWith(`${name}:`))) return { first: resources.map(resourceSuggestion), last: [] }
  const begun = servers.filter(({ server }) => server.startsWith(query)).map(serverSuggestion)
  const behind = query === '' ? [] : resources.slice(0, mostBehind).map(resourceSuggestion)
  return query === '' ? { first: [], last: begun } : { first: begun, last: behind }
}

function serverSuggestion({ server, resources }: Found['servers'][number]): Suggestion {
  const count = `${countOf(resources, 'resource')} of an MCP server`
  return { label: `${server}:`, value: `@${server}:`, description: count }
}

/** A template is written up to its first variable, which the person types. */
function resourceSuggestion({
  server,
  uri,
  name,
  description,
  template = false,
}: Found['resources'][number]): Suggestion {
  const about = [name === uri ? '' : name, description ?? ''].filter((text) => text !== '').join(': ')
  const value = template ? `@${server}:${uri.split('{', 1)[0] ?? ''}` : `@${server}:${uri} `
  return { label: `${server}:${uri}`, value, ...(about === '' ? {} : { description: about }) }
}
