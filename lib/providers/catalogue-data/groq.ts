// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["llama-3.1-8b-instant","Llama 3.1 8B",131072,131072,"",[0.05,0.08]],
  ["llama-3.3-70b-versatile","Llama 3.3 70B",131072,32768,"",[0.59,0.79]],
  ["openai/gpt-oss-120b","GPT OSS 120B",131072,65536,"r",[0.15,0.6,0.075],{"effort":"-,low,low,medium,high,high"}],
  ["openai/gpt-oss-20b","GPT OSS 20B",131072,65536,"r",[0.075,0.3,0.0375],{"effort":"-,low,low,medium,high,high"}],
  ["openai/gpt-oss-safeguard-20b","Safety GPT OSS 20B",131072,65536,"r",[0.075,0.3,0.0375],{"effort":"-,low,low,medium,high,high"}],
  ["qwen/qwen3.6-27b","Qwen3.6 27B",131072,16384,"ri",[0.6,3,0.3],{"effort":"none,default,default,default,default,default"}],
  ["qwen/qwen3.8-27b","Qwen3.8 27B",131072,16384,"ri",[0.8,4],{"effort":"none,low,low,medium,high,high"}],
]
