// Written by scripts/catalogue/catalogue.ts from @earendil-works/pi-ai 1.5.2 of 2026-11-10 (licence MIT); do not change it by hand.
import type { CatalogueRow } from '../catalogue/catalogue-row.ts'

export const rows: readonly CatalogueRow[] = [
  ["MiniMax-M2.5","MiniMax-M2.5",196608,32768,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["deepseek-v3.2","DeepSeek V3.2",131072,65536,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["deepseek-v4-flash","DeepSeek V4 Flash",1000000,384000,"r",[],{"effort":"-,high,high,high,high,max","always":true}],
  ["deepseek-v4-flash-0731","DeepSeek V4 Flash 0731",1000000,384000,"r",[],{"effort":"-,high,high,high,high,max","always":true}],
  ["deepseek-v4-pro","DeepSeek V4 Pro",1000000,384000,"r",[],{"effort":"-,high,high,high,high,max","always":true}],
  ["deepseek-v4-pro-0813","DeepSeek V4 Pro 0813",1000000,384000,"r",[],{"effort":"-,high,high,high,high,max","always":true}],
  ["deepseek-v4.1-flash","DeepSeek V4.1 Flash",1000000,384000,"ri",[],{"effort":"-,low,low,high,high,max","always":true}],
  ["deepseek-v4.1-flash-1017","DeepSeek V4.1 Flash 1017",1000000,384000,"ri",[],{"effort":"-,low,low,high,high,max","always":true}],
  ["glm-5","GLM-5",202752,16384,"r",[],{"effort":"-,high,high,high,high,max"}],
  ["glm-5.1","GLM-5.1",202752,128000,"r",[],{"effort":"-,high,high,high,high,max"}],
  ["glm-5.2","GLM-5.2",1000000,131072,"r",[],{"effort":"-,high,high,high,high,max","always":true}],
  ["glm-5.3","GLM-5.3",1000000,131072,"r",[],{"effort":"-,low,low,high,high,max","always":true}],
  ["kimi-k2.5","Kimi K2.5",262144,98304,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["kimi-k2.6","Kimi K2.6",262144,262144,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["kimi-k2.7-code","Kimi K2.7 Code",262144,262144,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["qwen3.6-flash","Qwen3.6 Flash",1000000,65536,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["qwen3.6-plus","Qwen3.6 Plus",1000000,65536,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["qwen3.7-max","Qwen3.7 Max",1000000,131072,"r",[],{"effort":"-,-,-,-,-,-"}],
  ["qwen3.7-plus","Qwen3.7 Plus",1000000,65536,"ri",[],{"effort":"-,-,-,-,-,-"}],
  ["qwen3.8-flash","Qwen3.8 Flash",1000000,131072,"ri",[],{"effort":"-,low,low,medium,xhigh,xhigh","always":true}],
  ["qwen3.8-max","Qwen3.8 Max",1000000,131072,"ri",[],{"effort":"-,low,low,medium,xhigh,xhigh","always":true}],
]
