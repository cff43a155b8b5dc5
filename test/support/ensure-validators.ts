// vitest by itself works right after `npm ci`: what the library imports is generated before the first test file loads.
import { ensureValidators } from '../../scripts/validators/validators.ts'

export default function setup(): void {
  ensureValidators(process.cwd())
}
