// Replaces variables in the headers of models.json by their values.
import { Failure } from '../../streams/values/failure.ts'
import { lookUpVariable } from '../keys/key-environment.ts'
import type { KeyEnvironments } from '../keys/key-environment.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Replaces `$NAME` and `${NAME}` by the variables of the client's environment, else of the server's start; `$$` is a
 * dollar sign, `$!` an exclamation mark. Any other dollar sign stays.
 * @throws Failure `bad_config` for a variable that is not set, and for a value that is a command; it names the header
 */
export function expandHeaders(headers: Headers, provider: string, environments: KeyEnvironments): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, expand(value, { provider, name, environments })]),
  )
}

interface HeaderContext {
  readonly provider: string
  readonly name: string
  readonly environments: KeyEnvironments
}

function expand(value: string, { provider, name, environments }: HeaderContext): string {
  const where = `models.json: the header ${name} of providers.${provider}`
  if (value.startsWith('!')) {
    throw new Failure('bad_config', `${where} is a command; set it as $VARIABLE, or give the command to apiKey.`)
  }
  return expandHeader(value, (variable) => {
    const found = lookUpVariable(variable, environments)
    if (found !== '') return found
    throw new Failure('bad_config', `${where} needs the variable ${variable}, which is not set.`)
  })
}

/** Replaces the variables of a header's value; `lookUp` is called for each, in their order. */
export function expandHeader(value: string, lookUp: (variable: string) => string): string {
  return value.replace(
    /\$(?:([$!])|\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
    (_, escaped?: string, braced?: string, plain?: string) => escaped ?? lookUp(braced ?? plain ?? ''),
  )
}
