// Makes a text comparable: no colours, no times, no ids, no paths of this run.

/** Escape sequences of colours, links, titles and the cursor. */
const escapes =
  /\u001B(?:\[[0-9;?<>=]*[A-Za-z]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|_[^\u0007\u001B]*(?:\u0007|\u001B\\)|[()][A-Z0-9])/g

const replaced: [RegExp, string][] = [
  [escapes, ''],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?\b/g, '<time>'],
  [/\b\d{1,2}\/\d{1,2}\/\d{4}, \d{1,2}:\d\d:\d\d [AP]M\b/g, '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?: [AP]M)?\b/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\bentry [0-9a-z]{8}\b/g, 'entry <id>'],
  [/\b1[6-9]\d{11}\b/g, '<ms>'],
]

const folders = new Map<string, string>()

/** Names a folder of this run; `plainText` writes the name for its path. */
export function nameFolder(folder: string, name: string): void {
  folders.set(folder, name)
}

export function plainText(text: string): string {
  let plain = text
  for (const [pattern, word] of replaced) plain = plain.replace(pattern, word)
  for (const [folder, name] of folders) plain = plain.replaceAll(folder, name)
  return plain
}

/** Lines of a component: without colours, and without blanks at their ends. */
export function plainLines(lines: readonly string[]): string {
  return lines.map((line) => plainText(line).trimEnd()).join('\n')
}
