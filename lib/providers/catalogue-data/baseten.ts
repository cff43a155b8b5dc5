// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["deepseek-ai/DeepSeek-V4-Flash-0731","DeepSeek V4 Flash 0731",1048576,384000,"r",[0.13,0.26,0.028],{"effort":"none,low,low,high,high,max"}],
  ["deepseek-ai/DeepSeek-V4-Pro-0813","DeepSeek V4 Pro 0813",1048576,262144,"r",[1.32,3.96,0.132],{"effort":"none,low,low,high,high,max"}],
  ["deepseek-ai/DeepSeek-V4.1-Flash","DeepSeek V4.1 Flash",1048576,32768,"ri",[0.3,1.2,0.007],{"effort":"none,high,high,high,high,max"}],
  ["deepseek-ai/DeepSeek-V4.1-Flash-1017","DeepSeek V4.1 Flash 1017",1048576,262144,"ri",[0.3,1.2,0.007],{"effort":"none,low,low,medium,high,max"}],
  ["deepseek-ai/DeepSeek-V4.1-Flash-1017-Fast","DeepSeek V4.1 Flash 1017 Fast",1048576,262144,"ri",[0.6,2.4,0.014],{"effort":"none,low,low,medium,high,max"}],
  ["deepseek-ai/DeepSeek-V4.1-Flash-Fast","DeepSeek V4.1 Flash Fast",1048576,32768,"ri",[0.6,2.4,0.014],{"effort":"none,high,high,high,high,max"}],
  ["moonshotai/Kimi-K3","Kimi K3",1048576,262144,"ri",[3,15,0.3],{"effort":"none,low,low,high,high,max"}],
  ["moonshotai/Kimi-K3.1-Pro","Kimi K3.1 Pro",1000000,262144,"ri",[2,10,0.2],{"effort":"-,-,-,-,-,-"}],
  ["nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B","Nemotron 3 Ultra",202800,202800,"r",[0.6,2.4,0.12],{"effort":"none,high,high,high,high,high"}],
  ["openai/gpt-oss-120b","OpenAI GPT 120B",128072,128072,"r",[0.1,0.5,0.1],{"effort":"none,minimal,low,medium,high,xhigh"}],
  ["zai-org/GLM-5.2","GLM 5.2",1048576,262144,"r",[1.4,4.4,0.14],{"effort":"none,high,high,high,high,max"}],
  ["zai-org/GLM-5.2-Fast","GLM 5.2 Fast",1048576,262144,"r",[2.1,6.6,0.21],{"effort":"none,high,high,high,high,max"}],
  ["zai-org/GLM-5.3","GLM 5.3",1048576,262144,"ri",[1.4,4.4,0.14],{"effort":"-,low,low,high,high,max"}],
  ["zai-org/GLM-5.3-Fast","GLM 5.3 Fast",1048576,262144,"ri",[2.1,6.6,0.21],{"effort":"-,low,low,high,high,max"}],
  ["zai-org/GLM-5.3-Flash","GLM 5.3 Flash",1048576,131072,"ri",[0.15,0.5,0.03],{"effort":"-,low,low,high,high,max"}],
]
