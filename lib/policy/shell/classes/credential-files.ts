// Finds commands that touch files with keys, passwords or tokens.
import {
  isAnyPath,
  isNarrow,
  isWithin,
  mayBePath,
  mayBeWithin,
  patternText,
  resolvePattern,
} from '../model/path-patterns.ts'
import { hasFreeText, hasMarks } from '../model/word-marks.ts'
import type { Call } from './call.ts'
import { fileWords } from '../effects/file-words.ts'

/** Below the home folder. */
const homeFiles =
  `.ssh .gnupg .aws .azure .config/gcloud .kube .docker/config.json .netrc _netrc .npmrc .pypirc .git-credentials
  .config/git/credentials .config/gh/hosts.yml .config/hub .vault-token .pgpass .my.cnf .password-store .gem/credentials
  .cargo/credentials .cargo/credentials.toml .terraform.d/credentials.tfrc.json .config/op .local/share/keyrings
  Library/Keychains .mozilla .config/google-chrome .config/chromium .oci .boto .s3cfg .config/rclone .anthropic .claude/.credentials.json
  .codex/auth.json .config/rxpi/auth.json .rxpi/auth.json .local/state/rxpi/auth.json .bash_history .zsh_history`.split(
    /\s+/,
  )
const systemFiles = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/ssl/private',
  '/etc/krb5.keytab',
  '/etc/master.passwd',
]
/** Anywhere. */
const names =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|\.netrc|\.git-credentials|\.pgpass|\.vault-token|\.htpasswd|[^/]+\.kdbx|wallet\.dat)$/
/** Settings with secrets: reading them counts, creating them does not. */
const settings = /^\.env(?:\.(?:local|production|prod|development|dev|staging|stage|secrets?))?$/
const creators = new Set(['touch', 'tee', 'rm', 'chmod', 'git', 'echo', 'printf'])
const copies = /^(?:cp|mv|ln|install)$/
const process = /^\/proc\/[^/]+\/(?:environ|mem)$|^\/proc\/[^/]+\/task\/[^/]+\/(?:environ|mem)$/
/** These print or compare their words without opening files. */
const silent = new Set([
  'echo',
  'printf',
  'cd',
  'pushd',
  'test',
  '[',
  'mkdir',
  'which',
  'type',
  'alias',
  'export',
  'unset',
  'basename',
  'dirname',
  'case',
  ':',
  'true',
])

export function credentialFindings(call: Call): void {
  const { run, invocation, state, program } = call
  const tool = toolReason(call)
  if (tool !== undefined) run.find('credential_files', invocation, tool)
  if (state.isRemote) return
  const redirected = invocation.redirections.flatMap(({ mode, target }) =>
    target !== undefined && mode !== 'duplicate' ? [target] : [],
  )
  const words = silent.has(program) ? redirected : [...redirected, ...pathWords(call)]
  for (const word of words) {
    if (!isCredential(word, call)) continue
    run.find('credential_files', invocation, `touches the secret file ${patternText(word)}`)
    return
  }
}

/** Words that may be paths: operands, values behind `=`, and `@file` of curl. */
function pathWords({ program, args }: Call): readonly string[] {
  return fileWords(program, args).map((word) => word.replace(/^(?:--?[\w-]+=|@|[\w-]+=@)/, ''))
}

function isCredential(word: string, { state, run, program, args }: Call): boolean {
  if (word === '' || isAnyPath(word) || word.includes('://')) return false
  const { home } = run.scene
  const folders = word.startsWith('/') ? ['/'] : (state.cwds ?? [])
  return folders.some((cwd) => {
    const path = resolvePattern(word, cwd)
    const isMarked = hasMarks(path)
    if (
      process.test(patternText(path)) ||
      (isMarked && path.startsWith('/proc/') && mayBePath(path, '/proc/self/environ'))
    )
      return true
    const last = path.slice(path.lastIndexOf('/') + 1)
    if (!isMarked && names.test(last)) return true
    if (!isMarked && settings.test(last))
      return !creators.has(program) && !(copies.test(program) && args.at(-1) === word)
    if (isWithin(path, '/etc') && systemFiles.some((file) => mayBeWithin(path, file))) return true
    return homesOf(path, home).some((folder) => {
      if (!isMarked && !isWithin(path, folder)) return false
      return homeFiles.some((file) => touches(path, `${folder}/${file}`))
    })
  })
}

/** Globs count if they name a hidden file or folder: `*` of the home folder does not. */
function touches(path: string, file: string): boolean {
  if (path.endsWith('.pub')) return false
  if (isWithin(path, file)) return true
  if (!hasMarks(path) || hasFreeText(path) || path.includes('\uE007')) return false
  return (
    path.split('/').every((part) => isNarrow(part) || !hasMarks(part) || part.startsWith('.')) &&
    mayBeWithin(path, file)
  )
}

function homesOf(path: string, home: string): readonly string[] {
  const other = /^\/(?:home|Users)\/[^/]+|^\/root/.exec(path)?.[0]
  return other === undefined || other === home ? [home] : [home, other]
}

/** Programs that print stored secrets. */
function toolReason({ program, args }: Call): string | undefined {
  const text = args.join(' ')
  if (/^gpg2?$/.test(program) && /--export-secret/.test(text)) return 'prints secret keys'
  if (program === 'security' && /^(?:dump-keychain|find-(?:generic|internet)-password|export)/.test(text))
    return 'prints stored passwords'
  if (program === 'secret-tool' && /^(?:lookup|search)/.test(text)) return 'prints stored passwords'
  if (program === 'gh' && /^auth token/.test(text)) return 'prints a token'
  if (program === 'gcloud' && /auth .*print-(?:access|identity)-token/.test(text)) return 'prints a token'
  if (program === 'git' && /credential fill/.test(text)) return 'prints stored passwords'
  if (program === 'kubectl' && /config view.*--raw/.test(text)) return 'prints credentials'
  return undefined
}
