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
import { anyFolders, hasFreeText, hasMarks } from '../model/word-marks.ts'
import type { Call } from './call.ts'
import { homeCredentials } from '../../../host/sandbox/protected-paths.ts'
import { fileWords } from '../effects/file-words.ts'
import { mountWords } from '../model/mount-words.ts'
import { optionValue } from '../model/option-value.ts'
import { secretReason } from './secret-tools.ts'

/** Below the home folder. */
const homeFiles = [
  ...homeCredentials,
  ...`_netrc .boto .s3cfg .anthropic .config/rxpi/auth.json .rxpi/auth.json .local/state/rxpi/auth.json
  .rxpi/accounts.json .local/state/rxpi/accounts.json .gemini/oauth_creds.json
  .config/github-copilot .local/share/opencode/auth.json .huggingface/token .cache/huggingface/token .wrangler .config/.wrangler
  .fly .supabase .local/share/com.vercel.cli .expo .composer/auth.json .databrickscfg .snowflake .dbt/profiles.yml .passwd-s3fs
  .smbcredentials .config/hcloud .config/linode-cli .ngrok2/ngrok.yml .config/ngrok .config/stripe .sentryclirc .config/netlify
  .ethereum/keystore .bitcoin .electrum .config/solana .config/helm .terraform.d .config/age .config/heroku .cursor/mcp.json`.split(
    /\s+/,
  ),
]
const systemFiles = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/ssl/private',
  '/etc/krb5.keytab',
  '/etc/master.passwd',
  '/etc/kubernetes/admin.conf',
  '/etc/rancher',
]
/** Anywhere. */
const names =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|\.netrc|\.git-credentials|\.pgpass|\.vault-token|\.htpasswd|[^/]+\.(?:kdbx|p12|pfx|ppk|jks|keystore)|wallet\.dat|master\.key|(?:private|privkey|server|client|tls|ssl)[\w-]*\.(?:key|pem)|(?:service-?account|client_secret)[\w.-]*\.json|application_default_credentials\.json)$/
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
  const { run, invocation, program } = call
  const tool = secretReason(call)
  if (tool !== undefined) run.find('credential_files', invocation, tool)
  const redirected = invocation.redirections.flatMap(({ mode, target }) =>
    target !== undefined && mode !== 'duplicate' ? [target] : [],
  )
  const words = silent.has(program) ? redirected : [...redirected, ...pathWords(call)]
  for (const written of words) {
    const word = written.startsWith('~/') ? `${run.scene.home}${written.slice(1)}` : written
    if (!isCredential(word, call)) continue
    run.find('credential_files', invocation, `touches the secret file ${patternText(word)}`)
    return
  }
}

/** Words that may be paths: operands, values after `=`, and `@file` of curl. */
function pathWords({ program, args }: Call): readonly string[] {
  if (/^(?:docker|podman|nerdctl|kubectl)$/.test(program) && args[0] !== 'cp')
    return [
      ...mountWords(args).map(({ source }) => source),
      ...args.flatMap((word) => /^--from-file=(?:[\w.-]+=)?(.+)$/.exec(word)?.[1] ?? []),
    ]
  // `node --env-file=.env` gives the program what it is configured with, as `docker run --env-file` does.
  const words = args.filter((word) => !/^--env-file(?:-if-exists)?=/.test(word))
  const folder = program === 'tar' ? optionValue(args, ['-C', '--directory']) : undefined
  if (folder !== undefined)
    return fileWords(program, args).map((word) => (/^[/~]/.test(word) ? word : `${folder}/${word}`))
  const prefix = /^(?:scp|rsync|sftp)$/.test(program) ? /^[\w.@-]+:/ : /^(?:--?[\w-]+=|@|[\w-]+=@)/
  return fileWords(program, words).map((word) => word.replace(prefix, ''))
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
    if (isMarked && last.startsWith('.env') && mayBePath(`/${last}`, '/.env') && !creators.has(program)) return true
    if (!isMarked && settings.test(last))
      return !creators.has(program) && !(copies.test(program) && args.at(-1) === word)
    if (!isMarked && /^(?:\/var)?\/run\/secrets\//.test(path)) return true
    if (isWithin(path, '/etc') && systemFiles.some((file) => mayBeWithin(path, file))) return true
    return homesOf(path, home).some((folder) => (isMarked ? mayTouch(path, folder) : isSecretOf(path, folder)))
  })
}

/** Names of `homeFiles` directly below the home: most paths end here. */
const firstNames = new Set(homeFiles.map((file) => file.split('/', 1)[0] ?? ''))

function isSecretOf(path: string, folder: string): boolean {
  if (path.endsWith('.pub') || !isWithin(path, folder)) return false
  const inside = path.slice(folder.length + 1)
  if (!firstNames.has(inside.split('/', 1)[0] ?? '')) return false
  return homeFiles.some((file) => isWithin(inside, file))
}

/** Globs count if they name a hidden file or folder: `*` of the home folder does not. */
function mayTouch(path: string, folder: string): boolean {
  const head = path.slice(0, path.search(/[\uE000-\uE00B]/))
  if (path.endsWith('.pub') || !(head.startsWith(`${folder}/`) || folder.startsWith(head))) return false
  if (isUsualFolder(head, folder) && !path.includes(anyFolders)) return false
  if (homeFiles.some((file) => isWithin(path, `${folder}/${file}`))) return true
  if (path.includes(anyFolders)) return seeksKeys(path.slice(path.lastIndexOf('/') + 1))
  if (hasFreeText(path)) return false
  const isHidden = path.split('/').every((part) => isNarrow(part) || !hasMarks(part) || part.startsWith('.'))
  return isHidden && homeFiles.some((file) => mayBeWithin(path, `${folder}/${file}`))
}

/**
 * True if the text in front of the first glob names a folder of the home that holds no credentials, as most globs do.
 */
function isUsualFolder(head: string, folder: string): boolean {
  const inside = head.startsWith(`${folder}/`) ? head.slice(folder.length + 1) : ''
  const slash = inside.indexOf('/')
  return slash > 0 && !firstNames.has(inside.slice(0, slash))
}

/** `find ~ -name 'id_*'`: the beginning of the name fits a key or a file with passwords. */
function seeksKeys(pattern: string): boolean {
  return /^[\w.]{3}/.test(pattern) && soughtNames.some((name) => mayBePath(`/${pattern}`, `/${name}`))
}

const soughtNames = ['id_rsa', 'id_ed25519', 'id_ecdsa', '.netrc', '.pgpass', '.git-credentials', 'credentials', '.env']

function homesOf(path: string, home: string): readonly string[] {
  const other = /^\/(?:home|Users)\/[^/]+|^\/root/.exec(path)?.[0]
  return other === undefined || other === home ? [home] : [home, other]
}
