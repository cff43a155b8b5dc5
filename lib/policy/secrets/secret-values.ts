// Chooses the environment variables whose values are secrets, and those that commands do not get.
import type { SecretValue } from './text-redactor.ts'

type Environment = Readonly<Record<string, string>>

/** Words of names such as `GITHUB_TOKEN`, `DB_PASSWORD` and `AWS_SECRET_ACCESS_KEY`, and names of clients of databases. */
const secretName =
  /(?:^|_)(?:SSHPASS|MYSQL_PWD|REDISCLI_AUTH)$|(?:^|_)(?:(?:API|AUTH|ACCESS)?KEY|(?:API|AUTH|ACCESS|REFRESH)?TOKEN|SECRETS?|PASS|(?:PG|DB)?PASSWORD|PASSWD|PASSPHRASE|PW|CREDENTIALS?|PAT)(?:_(?:KEY|BASE|VALUE|\d+|[A-Z]{1,12}))?$/i
/** The value is a place, a public part or a setting. */
const publicName =
  /(?:^|_)(?:PUBLIC|PUBLISHABLE|CACHE|PRIMARY|FOREIGN|SORT|GPG|HOST|SITE)_?KEY|(?:FILE|PATH|DIR|FOLDER|URL|URI|HOST|PORT|ID|NAME|TYPE|TTL|LENGTH|SIZE|COUNT|LIMIT|PROVIDER|STORE|HELPER|SOCK|CMD|COMMAND|PROMPT|ALGORITHM|EXPIRES|MODE)$/i

/** True if the name says that the value is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !publicName.test(name)
}

/** Shorter values occur in ordinary text. */
const shortestValue = 8
/** Words and numbers of less than this length occur in ordinary text as well. */
const shortestWord = 16
const longestValue = 16_384

/**
 * The values to redact: of variables whose names say so or are listed. Not: short values, plain words and numbers, and
 * paths. Of a value of several lines, each long line is a secret as well. A value inside quotes of JSON or in a URL is
 * found in that form too.
 */
export function secretValues(env: Environment, names: ReadonlySet<string>): readonly SecretValue[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const isListed = names.has(name)
    if (!isListed && !isSecretName(name)) return []
    return formsOf(value.trim())
      .filter((form) => isListed || isTelling(form))
      .map((form) => ({ kind: name.slice(0, 60), value: form }))
  })
}

/** A secret that no variable holds, such as a key in models.json. */
export function namedSecret(kind: string, value: string): readonly SecretValue[] {
  return formsOf(value.trim())
    .filter(isTelling)
    .map((form) => ({ kind, value: form }))
}

function formsOf(value: string): readonly string[] {
  if (value.length < shortestValue || value.length > longestValue) return []
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= shortestWord) : []
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed()), ...lines]
  return [...new Set(forms)].filter((form) => !form.startsWith('-----'))
}

function isTelling(value: string): boolean {
  if (isPath(value)) return false
  return value.length >= shortestWord || !/^(?:[A-Z]+|[A-Z][a-z]+|\d+|[a-z]+(?:[-_.][a-z]+)*)$/.test(value)
}

function isPath(value: string): boolean {
  return (
    /^(?:~|\.{1,2})?\/(?:[\w.@-]{1,40}\/)+[\w.@-]*$/.test(value) || /^[a-z][a-z0-9+.-]{1,20}:\/\/[^@]*$/i.test(value)
  )
}

/** The environment without these variables. Returns the environment itself if it has none of them. */
export function withoutVariables(env: Environment, names: ReadonlySet<string>): Environment {
  const entries = Object.entries(env)
  const rest = entries.filter(([name]) => !names.has(name))
  return rest.length === entries.length ? env : Object.fromEntries(rest)
}
