// Finds dangers in the text of shells whose language rxpi does not read: PowerShell, cmd and fish.
import { Buffer } from 'node:buffer'
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import type { CommandClass } from '../model/command-analysis.ts'
import type { ShellState } from '../model/shell-state.ts'

const dangers: readonly (readonly [CommandClass, RegExp, string])[] = [
  [
    'disk_wipe',
    /\b(?:format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk)\b|\bformat\s+[a-z]:/i,
    'erases a disk',
  ],
  ['reverse_shell', /net\.sockets\.tcpclient|\bpowercat\b/i, 'connects a shell to another machine'],
  [
    'pipe_to_shell',
    /(?:\b(?:iex|invoke-expression)\b[^]*(?:\biwr\b|\birm\b|\bcurl\b|\bwget\b|invoke-webrequest|invoke-restmethod|downloadstring|downloaddata))|(?:(?:\biwr\b|\birm\b|\bcurl\b|invoke-webrequest|invoke-restmethod|downloadstring)[^]*\|\s*(?:iex|invoke-expression))|scriptblock\]::create[^]*(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)/i,
    'runs what it downloads',
  ],
  ['shutdown', /\b(?:stop|restart)-computer\b|\bshutdown(?:\.exe)?\s+[/-]/i, 'stops or restarts the machine'],
  [
    'process_termination',
    /\b(?:stop-process|spps|stop-service|taskkill|remove-service)\b|\bkill\s+(?:-|\d)/i,
    'ends processes',
  ],
  [
    'permission_escalation',
    /-verb\s+runas|set-executionpolicy|\bnet\s+(?:user|localgroup)\b.*\/add|add-localgroupmember|new-localuser|\btakeown\b|\bicacls\b.*\/grant|set-mppreference/i,
    'takes or gives more permissions',
  ],
  [
    'credential_files',
    /get-credential|convertfrom-securestring|\bcmdkey\b|\.ssh[\\/]|\.aws[\\/]credentials|get-secret\b|vaultcmd/i,
    'touches keys or passwords',
  ],
  [
    'package_installation',
    /\b(?:install-(?:module|package|script)|winget\s+install|choco\s+install)\b/i,
    'installs packages',
  ],
  ['publishing', /\bpublish-(?:module|script|psresource)\b/i, 'publishes to other people'],
  ['network_listener', /httplistener|tcplistener/i, 'accepts connections from the network'],
]

const deletion = /\b(?:remove-item|ri|rm|rd|rmdir|del|erase)\b([^;|&\n]*)/gi

/** Reports the classes that the text shows. The words of a deletion are judged like those of `rm -r`. */
export function foreignFindings(
  run: Evaluator,
  invocation: Invocation,
  text: string,
  state: ShellState,
  frame: Frame,
): void {
  for (const [name, pattern, why] of dangers) if (pattern.test(text)) run.find(name, invocation, why)
  for (const [, rest = ''] of text.matchAll(deletion)) {
    const words = rest.split(/[\s"'()]+/).filter((word) => word !== '')
    const isDeep = words.some((word) => /^-r(?:e(?:c(?:u\w*)?)?)?$|^\/s$|^-\w*r\w*f|^-\w*fr/i.test(word))
    if (isDeep)
      judgeDeletion(
        run,
        invocation,
        words.filter((word) => !/^-|^\/[a-z]$/i.test(word)),
        state,
        frame,
      )
  }
}

function judgeDeletion(
  run: Evaluator,
  invocation: Invocation,
  targets: readonly string[],
  state: ShellState,
  frame: Frame,
): void {
  if (targets.length === 0) run.find('recursive_delete', invocation, 'deletes folder trees that it receives')
  for (const target of targets) {
    if (/^(?:[a-z]:)?[\\/]*\*?$|^\$(?:env:\w+|home)|^~|^[a-z]:[\\/](?:windows|users|program)/i.test(target)) {
      run.find('recursive_delete', invocation, 'deletes a folder tree outside the workspace')
    } else {
      const words = ['rm', '-r', '--', target.replaceAll('\\', '/')]
      run.runInvocation({ words, assignments: [], redirections: [] }, state, { ...frame, depth: frame.depth + 1 })
    }
  }
}

/** The text of `-EncodedCommand`: base64 of UTF-16. */
export function decodedCommand(text: string): string {
  return /^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf16le') : text
}
