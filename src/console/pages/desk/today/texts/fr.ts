import { en, type TodayTexts } from './en.ts'
export const fr: TodayTexts = en
