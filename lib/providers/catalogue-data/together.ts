// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["MiniMaxAI/MiniMax-M3","MiniMax-M3",524288,524288,"ri",[0.3,1.2,0.06],{"effort":"-,-,-,-,-,-"}],
  ["Qwen/Qwen3.5-9B","Qwen3.5 9B",262144,65536,"ri",[0.17,0.25],{"effort":"-,-,-,-,-,-"}],
  ["Qwen/Qwen3.6-Plus","Qwen3.6 Plus",1000000,65536,"r",[0.5,3],{"effort":"-,-,-,-,-,-"}],
  ["Qwen/Qwen3.7-Max","Qwen3.7 Max",1000000,131072,"r",[2.5,7.5,0.5],{"effort":"-,-,-,-,-,-"}],
  ["deepseek-ai/DeepSeek-V4-Pro-0813","DeepSeek V4 Pro 0813",1048576,384000,"r",[1.32,3.96,0.13],{"effort":"-,high,high,high,high,high"}],
  ["deepseek-ai/DeepSeek-V4.1-Flash","DeepSeek V4.1 Flash",1048576,384000,"ri",[0.3,1.2,0.006],{"effort":"-,-,-,-,-,-"}],
  ["meta-models/Muse-Spark-Open-816B-A42B","Muse Spark Open",1048576,131072,"ri",[1.25,4.25,0.15],{"effort":"-,-,-,-,-,-"}],
  ["moonshotai/Kimi-K3","Kimi K3",1048576,131072,"ri",[3,15,0.3],{"effort":"-,-,-,-,-,-"}],
  ["moonshotai/Kimi-K3.1-Pro","Kimi K3.1 Pro",1048576,131072,"ri",[2,10,0.2],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/NVIDIA-Nemotron-3.5-Super-VL","Nemotron 3.5 Super VL 120B A12B",262144,262144,"ri",[0.15,0.5,0.02],{"effort":"-,-,-,-,-,-"}],
  ["openai/gpt-oss-120b","GPT OSS 120B",131072,131072,"r",[0.15,0.6],{"effort":"-,low,low,medium,high,high","form":"effort"}],
  ["reflection/Beam-1.0-501B-A23B","Beam 1.0 501B A23B",1048576,131072,"r",[0.4,1.2,0.04],{"effort":"-,-,-,-,-,-"}],
  ["thinkingmachines/Inkling","Inkling",524288,131072,"ri",[1,4.05,0.17],{"effort":"-,-,-,-,-,-"}],
  ["zai-org/GLM-5.2","GLM-5.2",1048575,164000,"r",[1.4,4.4,0.26],{"effort":"-,-,-,-,-,-"}],
  ["zai-org/GLM-5.3","GLM-5.3",1048575,262144,"r",[1.4,4.4,0.26],{"effort":"-,-,-,-,-,-"}],
  ["zai-org/GLM-5.3-Flash","GLM-5.3-Flash",1048575,400000,"ri",[0.15,0.5,0.03],{"effort":"-,-,-,-,-,-"}],
]
