import { en, type TodayTexts } from './en.ts'
export const pt: TodayTexts = en
