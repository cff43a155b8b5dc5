// Notes the content of files that a call creates, so that running them later is understood.
import type { Invocation } from '../model/evaluator.ts'
import { fileContent } from '../expand/command-output.ts'
import { basename, resolvePattern } from '../model/path-patterns.ts'
import type { ShellState } from '../model/shell-state.ts'
import { hasMarks, networkText } from '../model/word-marks.ts'
import { optionValue } from '../model/option-value.ts'
import { noteLink } from '../model/own-links.ts'

/** Downloads, copies of programs and files, and `tee`. */
export function noteFiles({ words }: Invocation, state: ShellState, stdin: string | undefined): void {
  const [name = '', ...args] = words
  const operands = args.filter((word) => !word.startsWith('-'))
  switch (basename(name)) {
    case 'curl': {
      noteDownload(args, operands, state, optionValue(args, ['-o', '--output']), /^-\w*O/)
      return
    }
    case 'wget': {
      noteDownload(args, operands, state, optionValue(args, ['-O', '--output-document']), /^/)
      return
    }
    case 'aria2c':
    case 'axel': {
      noteDownload(args, operands, state, optionValue(args, ['-o', '--out', '--output']), /^/)
      return
    }
    case 'scp':
    case 'rsync':
    case 'sftp': {
      const [source = '', target = '.'] = operands.slice(-2)
      if (/^[\w.@-]{2,}:/.test(source))
        note(
          /(?:^\.|\/)$/.test(target)
            ? `${target.replace(/\/?$/, '/')}${basename(source.slice(source.indexOf(':') + 1))}`
            : target,
          networkText,
          state,
        )
      return
    }
    case 'tee':
      for (const file of operands) note(file, stdin ?? '', state)
      return
    case 'ln':
      noteLink(args, state)
      noteCopy(operands, state)
      return
    case 'cp':
    case 'mv':
    case 'install': {
      noteCopy(operands, state)
      return
    }
    default:
  }
}

function noteDownload(
  args: readonly string[],
  operands: readonly string[],
  state: ShellState,
  output: string | undefined,
  remoteName: RegExp,
): void {
  if (output !== undefined) note(output, networkText, state)
  else if (args.some((word) => remoteName.test(word))) {
    for (const url of operands)
      if (url.includes('/') || url.includes('.')) note(basename(url.split(/[?#]/, 1)[0] ?? ''), networkText, state)
  }
}

/** A copied program becomes a script that calls it. */
function noteCopy(operands: readonly string[], state: ShellState): void {
  const [source, target] = operands
  if (source === undefined || target === undefined || operands.length > 2) return
  const content = fileContent(source, state)
  if (content !== undefined) note(target, content, state)
  else if (/^(?:\/usr(?:\/local)?)?\/s?bin\/[\w.-]+$/.test(source)) note(target, `${source} "$@"`, state)
}

function note(file: string, content: string, state: ShellState): void {
  if (hasMarks(file) || file === '-') return
  for (const cwd of state.cwds ?? []) state.files.set(resolvePattern(file, cwd), content)
}
