// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

/** Where the data is from, and of which day. */
export const catalogueSource = {"name":"@earendil-works/pi-ai","version":"1.5.2","date":"2026-11-10","licence":"MIT"} as const

/** The rows of each provider, read when they are asked for. */
export const catalogueLoaders: Readonly<Record<string, () => Promise<{ readonly rows: readonly CatalogueRow[] }>>> = {
  anthropic: () => import('./anthropic.ts'),
  'ant-ling': () => import('./ant-ling.ts'),
  azure: () => import('./azure.ts'),
  baseten: () => import('./baseten.ts'),
  bedrock: () => import('./bedrock.ts'),
  cerebras: () => import('./cerebras.ts'),
  'cloudflare-workers-ai': () => import('./cloudflare-workers-ai.ts'),
  deepseek: () => import('./deepseek.ts'),
  fireworks: () => import('./fireworks.ts'),
  'github-copilot': () => import('./github-copilot.ts'),
  google: () => import('./google.ts'),
  groq: () => import('./groq.ts'),
  huggingface: () => import('./huggingface.ts'),
  'kimi-coding': () => import('./kimi-coding.ts'),
  meta: () => import('./meta.ts'),
  minimax: () => import('./minimax.ts'),
  'minimax-cn': () => import('./minimax-cn.ts'),
  mistral: () => import('./mistral.ts'),
  moonshotai: () => import('./moonshotai.ts'),
  'moonshotai-cn': () => import('./moonshotai-cn.ts'),
  nvidia: () => import('./nvidia.ts'),
  openai: () => import('./openai.ts'),
  'openai-codex': () => import('./openai-codex.ts'),
  openrouter: () => import('./openrouter.ts'),
  qwen: () => import('./qwen.ts'),
  together: () => import('./together.ts'),
  vercel: () => import('./vercel.ts'),
  vertex: () => import('./vertex.ts'),
  xai: () => import('./xai.ts'),
  xiaomi: () => import('./xiaomi.ts'),
  zai: () => import('./zai.ts'),
}
