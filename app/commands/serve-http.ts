// Runs the HTTP listeners of `rxpi serve`: the LLM proxy and the gateway, loaded only if they are on.
import path from 'node:path'
import { defer, ignoreElements, mergeMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Server } from '../../lib/server/create-server.ts'
import { isLoopback } from '../../lib/server/http/loopback.ts'
import type { GatewayChoice, ProxyChoice } from '../cli/server-invocation.ts'
import { report } from '../process/progress.ts'
import type { ProcessWorld } from '../process/world.ts'

type ListenerWorld = Pick<ProcessWorld, 'env' | 'stderr'>

/** Runs until unsubscribed; fails if it cannot listen. */
export function runProxy(choice: ProxyChoice, { env, stderr }: ListenerWorld): Observable<never> {
  return defer(() => import('../../lib/server/proxy/proxy-endpoint.ts')).pipe(
    mergeMap(({ serveProxy }) => serveProxy({ ...choice, env })),
    tap(({ url, tokenFrom }) => {
      report(stderr, `the proxy listens at ${url}; its token is in ${tokenFrom}`)
      warnAboutPlainHttp(choice.host, stderr)
    }),
    ignoreElements(),
  )
}

/** Runs until unsubscribed, or until the server has ended; fails if it cannot listen. */
export function runGateway(server: Server, choice: GatewayChoice, { env, stderr }: ListenerWorld): Observable<never> {
  return defer(() => import('../../lib/server/gateway/open-gateway.ts')).pipe(
    mergeMap(({ openGateway }) =>
      openGateway(server, { ...choice, ...(choice.web && { pageFolder: pageFolder() }), env }),
    ),
    tap(({ url, tokenFrom }) => {
      report(stderr, `the gateway listens at ${url}; its token is in ${tokenFrom}`)
      if (choice.web) report(stderr, `the page is ${url}/ and asks for the token, or takes it from ${url}/#token=TOKEN`)
      warnAboutPlainHttp(choice.host, stderr)
    }),
    ignoreElements(),
  )
}

/** The folder `web` of the build that runs; of the sources, that of the examples, which lacks the client. */
function pageFolder(): string {
  const here = import.meta.dirname
  const build = /^.*[/\\]dist[/\\][0-9a-f]{12}(?=[/\\])/.exec(here)?.[0]
  return build === undefined ? path.resolve(here, '../../examples/web') : path.join(build, 'web')
}

function warnAboutPlainHttp(host: string | undefined, stderr: ListenerWorld['stderr']): void {
  if (host === undefined || isLoopback(host)) return
  report(stderr, 'other machines can reach it over plain HTTP: put a TLS reverse proxy in front of it')
}
