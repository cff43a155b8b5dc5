// Writes the profile of macOS's sandbox-exec: the same fence as on Linux, without namespaces.
// Guarantees: the text is tested; it was not run on macOS.
import path from 'node:path'
import { isInside, realTarget } from '../files/resolve-path.ts'
import { findGitPaths } from './git-paths.ts'
import { credentialPaths, startUpNames, startUpPaths } from './protected-paths.ts'
import type { SandboxProfile } from './sandbox-profile.ts'

/** The profile's text; of several rules that match, the last one counts. @param env the client's environment */
export function sandboxExecProfile(profile: SandboxProfile, env: Readonly<Record<string, string>>): string {
  const { workspace, temp, name, homeFolder, rxpiFolders, readable = [], writable = [] } = profile
  const open = name === 'workspace' ? [workspace, ...writable, temp] : [temp]
  const git = findGitPaths({ workspace, homeFolder, env })
  const control = [...git.control, ...git.entries.filter((entry) => !git.folders.includes(entry))]
  const protectedPaths = [path.join(workspace, '.rxpi'), ...control, ...startUp(profile)].filter((file) =>
    open.some((folder) => isInside(file, folder)),
  )
  const hidden = [...new Set([...rxpiFolders, ...credentialPaths(homeFolder)].map(realTarget))]
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...rule('allow file-write*', open),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
    ...rule('deny file-write*', protectedPaths),
    // a folder that holds a protected path may not be renamed away
    ...literals('deny file-write-unlink', parents(protectedPaths, workspace)),
    ...rule('deny file-read* file-write*', hidden),
    ...rule('allow file-read*', readable),
    '(deny network*)',
    ...sockets('allow network*', open),
    '(deny process-info* (target others))',
    '(allow process-info* (target same-sandbox))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '(deny mach-lookup (global-name "com.apple.securityd") (global-name "com.apple.SecurityServer"))',
    '(deny mach-lookup (global-name "com.apple.pasteboard.1") (global-name "com.apple.coreservices.appleevents"))',
    '(deny appleevent-send)',
    '(deny lsopen)',
    '',
  ].join('\n')
}

function startUp({ workspace, homeFolder }: SandboxProfile): readonly string[] {
  const inHome = [...startUpNames, ...startUpPaths].map((name) => path.join(homeFolder, name))
  return [...startUpNames.map((name) => path.join(workspace, name)), ...inHome]
}

function rule(action: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`(${action} ${paths.map((file) => `(subpath ${quote(file)})`).join(' ')})`]
}

function literals(action: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`(${action} ${paths.map((file) => `(literal ${quote(file)})`).join(' ')})`]
}

/** Unix sockets in folders that are open for writing. */
function sockets(action: string, paths: readonly string[]): readonly string[] {
  return paths.map(
    (file) => `(${action} (remote unix-socket (subpath ${quote(file)})) (local unix-socket (subpath ${quote(file)})))`,
  )
}

function parents(files: readonly string[], root: string): readonly string[] {
  const found = new Set<string>()
  for (const file of files)
    for (let parent = path.dirname(file); parent !== root && isInside(parent, root); parent = path.dirname(parent))
      found.add(parent)
  return [...found]
}

/** A string of the profile's language. */
function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
