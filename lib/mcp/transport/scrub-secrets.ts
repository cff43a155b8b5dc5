// Removes the secrets of a server's configuration from the texts of errors.
import { firstUnits } from '../../streams/values/truncate.ts'
import { previewStart, showActiveCharacters } from '../../streams/values/display-text.ts'
import { redactionPlaceholder } from '../../streams/values/redaction-placeholder.ts'
import type { McpServer } from '../contract/mcp-server.ts'

/** Shorter values are words that a text has anyway (`true`, `8080`). */
const shortestSecret = 6
/** UTF-16 units of an error. */
const errorUnits = 500

/**
 * One line without the values of the server's headers, variables and client secret, at most 500 units long. A server may
 * answer with what it got.
 */
export function scrubSecrets(text: string, server: Pick<McpServer, 'transport' | 'oauth'>): string {
  const bounded = firstUnits(text, 100 * errorUnits)
  const clean = secretsOf(server).reduce((rest, secret) => rest.replaceAll(secret, placeholder), bounded)
  return previewStart(showActiveCharacters(clean), errorUnits)
}

const placeholder = redactionPlaceholder('mcp')

/** The longest first, as one may contain another. */
function secretsOf({ transport, oauth }: Pick<McpServer, 'transport' | 'oauth'>): readonly string[] {
  const values = Object.values(transport.kind === 'stdio' ? transport.env : transport.headers)
  const words = values.flatMap((value) => value.split(/\s+/))
  const { clientSecret = '' } = oauth === undefined || oauth === false ? {} : oauth
  return [...values, ...words, clientSecret]
    .filter(({ length }) => length >= shortestSecret)
    .sort((one, other) => other.length - one.length)
}
