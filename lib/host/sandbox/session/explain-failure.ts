// Explains to the model a failure that the sandbox may have caused, and names the way out.
import { EMPTY, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ConfinedFailure, RefusedConnection, SandboxProfileName } from '../../../streams/ports/sandbox.ts'
import { looksLikeFence } from './fence-signs.ts'
import type { FenceSign } from './fence-signs.ts'

export interface ExplainOptions {
  readonly profile: SandboxProfileName
  /** True if commands and jobs of the session share a loopback. */
  readonly sharesNetwork: boolean
  /** The hosts that commands may reach. */
  readonly allow: readonly string[]
  /** Emits the hosts of the preset `registries`, once. Default: none. */
  readonly registries$?: Observable<readonly string[]>
}

/** Emits at most one text; it asks for the registries of the user only if the network was refused. */
export function explainFailure(failure: ConfinedFailure, options: ExplainOptions): Observable<string> {
  const { exitCode, output, refused } = failure
  const sign = refused.length > 0 && exitCode !== 0 ? 'network' : looksLikeFence(exitCode, output)
  if (sign === undefined) return EMPTY
  if (sign !== 'network') return of(`${reasons[sign](options)} ${wayOut}`)
  const hosts = refusedHosts(refused, output)
  const { registries$ = of([]), allow } = options
  const offered$ = hosts.length === 0 || allow.includes('registries') ? of([]) : registries$
  return offered$.pipe(map((registries) => `${networkText(hosts, registries)} ${wayOut}`))
}

const wayOut =
  'If this is needed, call bash again with escalate and the reason: a person decides about this one call outside.'

const reasons: Readonly<Record<Exclude<FenceSign, 'network'>, (options: ExplainOptions) => string>> = {
  files: ({ profile }) =>
    profile === 'workspace'
      ? 'This may be the sandbox: it writes in the workspace and /tmp only.'
      : 'This may be the sandbox: it is read-only and writes in /tmp only.',
  refused: () => 'This may be the sandbox: it refuses rights over the system and other processes.',
  loopback: ({ sharesNetwork }) =>
    sharesNetwork
      ? 'In the sandbox localhost reaches the servers that commands and jobs of this session run there, and no other server of this machine. None listens on this port now: if it was started a moment ago it may still be starting, so look at job_output.'
      : 'Each command in the sandbox has a network of its own: it reaches no server of this machine, of a job or of another command. Start the server and what asks it in one command.',
  hidden: () => 'This may be the sandbox: it hides credentials, and sockets outside the workspace.',
}

function networkText(hosts: readonly string[], registries: readonly string[]): string {
  if (hosts.length === 0)
    return "This may be the sandbox: it reaches only the hosts in the user's setting sandbox.network.allow."
  const ofPreset = hosts.some((host) => registries.includes(plainHost(host)))
  const entries = hosts.map((host) => `"${host}"`).join(', ')
  const preset = ofPreset ? ', or "registries" for all package registries that they have configured' : ''
  return `The sandbox does not reach ${hosts.join(', ')}. The user can allow it: they add ${entries} to sandbox.network.allow in settings.json${preset}.`
}

/** As the setting wants them: a port only if it is not that of the web. */
function refusedHosts(refused: readonly RefusedConnection[], output: string): readonly string[] {
  const found = refused.map(({ host, port }) => (port === 80 || port === 443 ? host : `${host}:${port}`))
  return [...new Set(found.length > 0 ? found : namedHosts(output))].slice(0, 5)
}

/** Hosts in the messages of programs without a proxy. */
function namedHosts(output: string): readonly string[] {
  return [...output.slice(-8_000).matchAll(unreachable)].flatMap(([, host]) => (host === undefined ? [] : [host]))
}

const unreachable =
  /(?:could not resolve (?:host|proxy): ?|getaddrinfo (?:ENOTFOUND|EAI_AGAIN) |failed to lookup address[^\n]*?host[ =:]+|unable to resolve host address ['‘"]?|lookup )((?:[a-z0-9_-]+\.)+[a-z0-9-]+)/gi

function plainHost(host: string): string {
  return host.replace(/:\d+$/, '')
}
