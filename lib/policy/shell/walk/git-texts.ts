// Finds commands that git gives to a shell: settings, aliases, filters, `bisect run`, `foreach`.
import { optionValue } from '../model/option-value.ts'
import { quotedWord } from '../model/word-marks.ts'

/** Keys of git's configuration whose value is a command. */
const gitCommandKey =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|pager\.|sequence\.editor|diff\.external|diff\.[^=]*\.(?:command|textconv)|filter\.|credential\.|gpg\.[^=]*program|(?:merge|difftool|mergetool)\.|alias\.|remote\.[^=]*\.(?:uploadpack|receivepack))/i

/** @param args words after `git`, with marks */
export function gitTexts(args: readonly string[]): string[] {
  return [
    ...args.flatMap((word, index) => gitWordTexts(args, word, index)),
    ...bisectTexts(args),
    ...foreachTexts(args),
    ...(args.includes('clone') ? [optionValue(args, ['-u']) ?? ''] : []),
    ...(args.includes('config') ? [storedSetting(args)] : []),
  ].filter((text) => text !== '')
}

/** Texts that git runs for a word; `index`: its place in `args`. */
function gitWordTexts(args: readonly string[], word: string, index: number): string[] {
  const texts = settingTexts(args[index - 1], word)
  const remote = /^ext::(.*)$/s.exec(word)?.[1]
  // git splits the words at blanks; quotes in them are meant for a shell.
  if (remote !== undefined) texts.push(/["']/.test(remote) ? remote : externalCommand(remote))
  if (/^--(?:tree|index|env|msg|commit|parent|tag-name)-filter$/.test(word)) texts.push(args[index + 1] ?? '')
  const pager = /^-O(.+)$/s.exec(word)?.[1]
  if (pager !== undefined && args.includes('grep')) texts.push(pager)
  return texts
}

/** The command of `-c core.pager=…`, `--config=…` and an alias. */
function settingTexts(before: string | undefined, word: string): string[] {
  const isSetting = before === '-c' || before === '--config'
  const setting = isSetting ? word : /^(?:-c|--config=|--config-env=)(.+)$/.exec(word)?.[1]
  const equals = setting?.indexOf('=') ?? -1
  if (setting === undefined || equals <= 0 || !gitCommandKey.test(setting)) return []
  const value = setting.slice(equals + 1)
  if (!/^alias\./i.test(setting)) return [value]
  return [value.startsWith('!') ? value.slice(1) : `git ${value}`]
}

/** The command of `git bisect run`. */
function bisectTexts(args: readonly string[]): string[] {
  const at = args.indexOf('bisect')
  if (at < 0 || args[at + 1] !== 'run') return []
  const words = args.slice(at + 2)
  return [words.map(quotedWord).join(' ')]
}

/** The command of `git submodule foreach`. */
function foreachTexts(args: readonly string[]): string[] {
  const at = args.indexOf('foreach')
  if (at < 0) return []
  const words = args.slice(at + 1).filter((word) => word !== '--recursive')
  return [words.length === 1 ? words.join('') : words.map(quotedWord).join(' ')]
}

/** The command that `git config` stores for later; '' if the key holds none. */
function storedSetting(args: readonly string[]): string {
  const at = args.findIndex((word) => gitCommandKey.test(`${word}=`))
  return (at < 0 ? '' : (args[at + 1] ?? '')).replace(/^!/, '')
}

/** The command of git's `ext::`: blanks part words, `% ` is a blank and `%%` a percent sign. */
function externalCommand(text: string): string {
  const words = text.split(/(?<!%) /).map((word) => word.replaceAll(/%(.)/g, '$1'))
  return words.map(quotedWord).join(' ')
}
