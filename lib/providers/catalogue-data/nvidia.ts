// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["deepseek-ai/deepseek-v4.1-flash","DeepSeek V4.1 Flash",1000000,384000,"ri",[],{"effort":"-,-,-,-,-,-","form":"thinking","replay":true}],
  ["google/diffusiongemma-26b-a4b-it","DiffusionGemma 26B A4B IT",250000,32768,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["google/gemma-3-12b-it","Gemma 3 12B IT",131072,16384,"i",[]],
  ["google/gemma-3-4b-it","Gemma 3 4B IT",131072,16384,"i",[]],
  ["meta/llama-3.2-90b-vision-instruct","Llama-3.2-90B-Vision-Instruct",128000,8192,"i",[]],
  ["meta/muse-glimmer-30b","Muse Glimmer 30B",131072,131072,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["minimaxai/minimax-m3.1-flash","MiniMax-M3.1-Flash",262144,262144,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["mistralai/mistral-7b-instruct-v0.3","Mistral-7B-Instruct-v0.3",65536,65536,"",[]],
  ["moonshotai/kimi-k2.6","Kimi K2.6",262144,262144,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/cosmos-reason2-8b","Cosmos Reason2 8B",131072,16384,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/llama-3.1-nemotron-70b-instruct","Llama 3.1 Nemotron 70B Instruct",128000,8192,"",[]],
  ["nvidia/llama-3.1-nemotron-ultra-253b-v1","Llama 3.1 Nemotron Ultra 253B",128000,16384,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/nemotron-3-nano-omni-30b-a3b-reasoning","Nemotron 3 Nano Omni",256000,65536,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/nemotron-3-ultra-550b-a55b","Nemotron 3 Ultra 550B A55B",1000000,65536,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/nemotron-3.5-lightning-30b-a3b","Nemotron 3.5 Lightning 30B A3B",262144,262144,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/nemotron-3.5-super-vl-120b-a12b","Nemotron 3.5 Super VL 120B A12B",1048576,8192,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["openai/gpt-oss-20b","GPT OSS 20B",131072,32768,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["poolside/laguna-xs-2.1","Laguna XS 2.1",262144,16384,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["stepfun-ai/step-5-preview","Step 5 Preview",1048576,1048576,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["z-ai/glm-5.3-flash","GLM-5.3-Flash",1000000,131072,"ri",[],{"effort":"-,-,-,-,-,-"}],
]
