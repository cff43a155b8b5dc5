// Recognises modules that are written for pi, by their text: none of their code runs.
import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes of a module that are read. */
const headBytes = 262_144
const importsOwn = /\bdefineExtension\b|(?:from|import|require)\s*\(?\s*['"]rxpi(?:\/[\w/-]+)?['"]/
const importsPi =
  /(?:from|import|require)\s*\(?\s*['"]@(?:earendil-works|mariozechner)\/pi-(?:ai|agent-core|coding-agent|tui)(?:\/[^'"]*)?['"]/
const bareFunction = /export\s+default\s+(?:async\s+)?(?:function\b|\(|\w+\s*=>)/

/** True for a module that imports packages of pi, or exports a bare function. @throws Error of the system */
export function isWrittenForPi(file: string): boolean {
  const text = readHead(file)
  if (importsPi.test(text)) return true
  return !importsOwn.test(text) && bareFunction.test(text)
}

/** The first 256 KiB of a module. @throws Error of the system */
export function readHead(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(headBytes)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, headBytes, 0))
  } finally {
    closeSync(descriptor)
  }
}
