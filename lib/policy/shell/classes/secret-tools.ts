// Finds programs that print stored secrets, and commands that send the environment to another machine.
import { environmentText } from '../model/word-marks.ts'
import { fileContent } from '../expand/command-output.ts'
import { operandsOf } from './call.ts'
import { commandWords } from './command-verbs.ts'
import type { Call } from './call.ts'

/** By program: the beginning of its operands, joined by blanks, if the program prints a secret then. */
const printers: Readonly<Record<string, RegExp>> = {
  gh: /^auth token\b/,
  glab: /^auth token\b|^config get token\b/,
  gcloud:
    /\bprint-(?:access|identity)-token\b|^secrets versions access\b|^iam service-accounts keys create\b|^sql users set-password\b/,
  aws: /^configure (?:get \S*(?:secret|token|key)|export-credentials)|^sts (?:get-session-token|assume-role|get-federation-token)|^secretsmanager (?:get-secret-value|batch-get-secret-value)|^iam create-access-key|^ecr(?:-public)? get-login-password|^codeartifact get-authorization-token/,
  az: /^account get-access-token|^keyvault secret (?:show|download)|^storage account keys list|^ad sp (?:create-for-rbac|credential)|^acr login --expose-token/,
  npm: /^token\b|^config get \S*_auth/,
  kubectl:
    /^(?:describe|edit) secrets?\b|^create token\b|\bget\b.*\bsecrets?\b.* (?:-o|--output|--template)|\bget .*(?:-o|--output)\b.* secrets?\b/,
  oc: /^(?:describe|edit) secrets?\b|^whoami -t|\bget\b.*\bsecrets?\b.* (?:-o|--output|--template)|\bget .*(?:-o|--output)\b.* secrets?\b/,
  vault: /^(?:kv get|read|login|token create|print token)\b/,
  op: /^(?:read|item get|document get|inject)\b/,
  bw: /^(?:get|list|export|unlock)\b/,
  lpass: /^(?:show|export)\b/,
  doppler: /^secrets(?: download| get)?\b|^configure get token/,
  infisical: /^(?:secrets|export)\b/,
  chamber: /^(?:read|export|env)\b/,
  heroku: /^auth:token\b|^config\b|^config:get\b/,
  fly: /^(?:auth token|tokens create)\b/,
  flyctl: /^(?:auth token|tokens create)\b/,
  vercel: /^env pull\b/,
  netlify: /^env:(?:get|list)\b/,
  railway: /^variables\b/,
  doctl: /^(?:auth token|registry docker-config)\b/,
  'ansible-vault': /^(?:view|decrypt|edit)\b/,
  security: /^(?:dump-keychain|find-(?:generic|internet)-password|export|find-certificate)/,
  'secret-tool': /^(?:lookup|search)\b/,
  keyctl: /^(?:print|read|pipe)\b/,
  git: /^credential(?:-\w+)? (?:fill|get)\b/,
  'docker-credential-desktop': /^(?:get|list)\b/,
  'docker-credential-osxkeychain': /^(?:get|list)\b/,
  'git-credential-osxkeychain': /^get\b/,
  'docker-credential-pass': /^(?:get|list)\b/,
  getent: /^(?:g?shadow)\b/,
  gopass: /^(?:show|cat)\b/,
  chezmoi: /^secret\b/,
  rclone: /^config (?:show|dump|userinfo)\b/,
  wg: /^(?:showconf|genkey|genpsk)\b|^show \S+ (?:private-key|preshared-keys|dump)\b/,
  'systemd-creds': /^(?:cat|decrypt)\b/,
  argocd: /^admin initial-password\b/,
}

/** Why a call prints or sends secrets; undefined if it does not. */
export function secretReason(call: Call): string | undefined {
  const { program, args } = call
  const text = args.join(' ')
  const known = Object.hasOwn(printers, program) ? printers[program] : undefined
  if (known?.test(commandWords(program, args).join(' ')) === true || known?.test(text) === true)
    return 'prints stored secrets'
  if (sendsEnvironment(call)) return 'sends the values of variables to another machine'
  if (/^(?:curl|wget|http|xh|fetch)$/.test(program) && args.some((word) => metadata.test(word)))
    return 'asks the cloud for credentials of this machine'
  switch (program) {
    case 'gh':
      return /^auth status\b/.test(text) && /(?:^| )(?:-\w*t|--show-token)(?: |$)/.test(text)
        ? 'prints a token'
        : undefined
    case 'aws':
      return /^ssm get-parameters?/.test(text) && text.includes('--with-decryption') ? 'prints a secret' : undefined
    case 'gpg':
    case 'gpg2':
      return /--export-secret/.test(text) ? 'prints secret keys' : undefined
    case 'kubectl':
      return /config view.*--raw/.test(text) ? 'prints credentials' : undefined
    case 'sops':
      return /(?:^| )(?:-d|--decrypt|decrypt)(?: |$)/.test(text) ? 'prints secrets' : undefined
    case 'terraform':
    case 'tofu':
      return /^output\b.*(?:-raw|-json).*(?:secret|password|token|key)/.test(text) ? 'prints a secret' : undefined
    case 'pass':
      return passReason(operandsOf(args))
    default:
      return undefined
  }
}

/** Addresses at which clouds give credentials to their machines. */
const metadata =
  /(?:^|\/\/)(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|metadata\/computeMetadata|100\.100\.100\.200|\[fd00:ec2::254\])(?:[/:]|$)/

const passVerbs = /^(?:ls|list|find|search|insert|add|edit|generate|rm|remove|mv|cp|git|help|version|init|grep|otp)$/

/** `pass NAME` shows a password. */
function passReason([verb]: readonly string[]): string | undefined {
  return verb === undefined || (passVerbs.test(verb) && verb !== 'otp') ? undefined : 'prints a stored password'
}

const senders =
  /^(?:curl|wget|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|ftp|http|https|xh|httpie|mail|mailx|sendmail|dig|nslookup|host|openssl|aws|gsutil)$/

/** The output of `env` on its input, among its words, or in a file that it sends. */
function sendsEnvironment({ program, args, frame, state }: Call): boolean {
  if (!senders.test(program)) return false
  if (frame.stdin?.includes(environmentText) === true) return true
  return args.some((word) => {
    if (word.includes(environmentText)) return true
    const file = /^(?:[\w-]+=)?@(.+)$/.exec(word)?.[1] ?? word
    return fileContent(file, state)?.includes(environmentText) === true
  })
}
