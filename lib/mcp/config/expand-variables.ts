// Replaces variables in the texts of a server's configuration by their values.
import { Failure } from '../../streams/values/failure.ts'

/** The variables that a configuration may read. */
export interface Variables {
  readonly values: Readonly<Record<string, string>>
  /** False: the file that names the variable may not read it. Default: every one may be read. */
  readonly mayRead?: (name: string) => boolean
}

const pattern = /\$(?:(\$)|\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))/g

/**
 * Replaces `$NAME`, `${NAME}` and `${NAME:-default}`; `$$` is a dollar sign, and any other dollar sign stays.
 * @param field names the text in errors: `mcpServers.files.env.TOKEN`
 * @throws Failure `bad_config` for a variable that is not set or may not be read; it never has a value
 */
export function expandVariables(text: string, field: string, { values, mayRead = () => true }: Variables): string {
  return text.replace(pattern, (_, dollar?: string, braced?: string, fallback?: string, plain?: string) => {
    if (dollar !== undefined) return dollar
    const name = braced ?? plain ?? ''
    if (!mayRead(name)) {
      throw new Failure('bad_config', `${field} reads the variable ${name}, which this file may not read.`)
    }
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined && value !== '') return value
    if (fallback !== undefined) return fallback
    throw new Failure('bad_config', `${field} needs the variable ${name}, which is not set.`)
  })
}
