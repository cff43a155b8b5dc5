// Reads how a person names a package: of the registry, of a git repository, a tarball, or a folder.
import { statSync } from 'node:fs'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface PackageSource {
  /** As it is stored: paths are absolute. */
  readonly source: string
  /** A version or ref was named. */
  readonly pinned: boolean
  /** As npm takes it; undefined for a folder, which is used where it is. */
  readonly spec?: string
  /** The folder that is used where it is. */
  readonly link?: string
}

const registryName = /^(@[a-z0-9~][a-z0-9-._~]*\/)?[a-z0-9~][a-z0-9-._~]*(?:@[^\s@/]+)?$/i

/** @param cwd for relative paths, absolute @throws Failure `bad_request` */
export function parsePackageSource(text: string, cwd: string): PackageSource {
  if (text.startsWith('npm:')) return registrySource(text.slice(4))
  if (/^(?:https?|ssh|git):\/\//.test(text)) return gitSource(text, cwd)
  if (text.startsWith('git:')) return gitSource(text.slice(4), cwd)
  if (!/^(?:\.{0,2}\/|\.{1,2}$|~\/)/.test(text) && !text.endsWith('.tgz'))
    throw badSource(`"${text}" is no package: write npm:${text}, git:URL, or a path that begins with ./ or /`)
  return pathSource(resolvePath(text, cwd))
}

function registrySource(spec: string): PackageSource {
  if (!registryName.test(spec)) throw badSource(`"${spec}" is no name of a package: npm:NAME or npm:NAME@VERSION`)
  return { source: `npm:${spec}`, pinned: spec.lastIndexOf('@') > 0, spec }
}

/** A ref follows the last `@` behind the last slash. */
function gitSource(text: string, cwd: string): PackageSource {
  const host = /^[\w.-]+@[\w.-]+:/.exec(text)?.[0] ?? '' // `git@host:repository`
  const at = text.indexOf('@', Math.max(host.length, text.lastIndexOf('/') + 1))
  const [url, ref] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  if (url === '' || /[\s#]/.test(text) || url.startsWith('-')) throw badSource(`"${text}" is no git repository`)
  const address = gitAddress(url, cwd)
  return {
    source: `git:${address}${ref === '' ? '' : `@${ref}`}`,
    pinned: ref !== '',
    spec: `git+${address}${ref === '' ? '' : `#${ref}`}`,
  }
}

function gitAddress(url: string, cwd: string): string {
  if (/^(?:https?|ssh|file):\/\//.test(url)) return url
  if (/^git:\/\//.test(url)) throw badSource('git:// is neither encrypted nor signed; use https:// or ssh://')
  if (/^(?:\.{0,2}\/|~\/)/.test(url)) return `file://${resolvePath(url, cwd)}`
  const scp = /^([\w.-]+@[\w.-]+):(.+)$/.exec(url)
  return scp === null ? `https://${url}` : `ssh://${scp[1] ?? ''}/${scp[2] ?? ''}`
}

function pathSource(file: string): PackageSource {
  const status = statSync(file, { throwIfNoEntry: false })
  if (status === undefined) throw badSource(`There is no ${file}`)
  if (status.isDirectory()) return { source: file, pinned: false, link: file }
  if (/\.(?:tgz|tar\.gz)$/.test(file)) return { source: file, pinned: true, spec: `file:${file}` }
  throw badSource(`${file} is neither a folder nor a tarball (.tgz)`)
}

function badSource(message: string): Failure {
  return new Failure('bad_request', message)
}
