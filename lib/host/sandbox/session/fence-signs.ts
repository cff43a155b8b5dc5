// Recognises a failure that the sandbox probably caused, so that the result can name the way out.

/** Most characters of the output that are searched, from its end. */
const searched = 8_000

const signs: readonly (readonly [sign: FenceSign, pattern: RegExp])[] = [
  ['files', /read-only file system|\bEROFS\b|os error 30\b|errno 30\b/i],
  ['refused', /operation not permitted|\bEPERM\b|os error 1\b/i],
  [
    'loopback',
    /(?:refused|ECONNREFUSED|failed to connect)[^\n]{0,80}(?:localhost|127\.0\.0\.1|::1)|(?:localhost|127\.0\.0\.1|::1)[^\n]{0,80}(?:refused|ECONNREFUSED|couldn't connect)/i,
  ],
  [
    'network',
    /network is unreachable|\bENETUNREACH\b|could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|no address associated with hostname|\bEAI_AGAIN\b|\bENOTFOUND\b|getaddrinfo|nodename nor servname|failed to lookup address|dial (?:tcp|udp).*(?:lookup|unreachable)|X-Rxpi-Sandbox|rxpi's sandbox does not allow|CONNECT tunnel failed, response 403|server misbehaving/i,
  ],
  [
    'hidden',
    /(?:permission denied|\bEACCES\b|no such file or directory|\bENOENT\b)[^\n]*|[^\n]*(?:permission denied|\bEACCES\b)/i,
  ],
]

/**
 * `files`: a write outside. `refused`: a system call. `loopback`: no server on this machine. `network`: no connection.
 * `hidden`: a secret of the home.
 */
export type FenceSign = 'files' | 'refused' | 'loopback' | 'network' | 'hidden'

/**
 * The likely reason of a failed command; undefined if it succeeded or nothing points to the fence. A guess from the
 * words of programs: it may be wrong both ways, and serves only for a note.
 * @param exitCode null if a signal ended it
 */
export function looksLikeFence(exitCode: number | null, stderr: string): FenceSign | undefined {
  if (exitCode === 0) return undefined
  const end = stderr.slice(-searched)
  return signs.find(([sign, pattern]) => (sign === 'hidden' ? isHiddenPath(end, pattern) : pattern.test(end)))?.[0]
}

/** A denied path counts only if it is one that the sandbox hides; others are denied outside too. */
function isHiddenPath(text: string, pattern: RegExp): boolean {
  return text.split('\n').some((line) => pattern.test(line) && hiddenNames.test(line))
}

const hiddenNames =
  /\/(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.netrc|\.npmrc|\.git-credentials|\.config\/(?:gcloud|gh|rxpi))\b|docker\.sock|\/run\//
